package org.beefs.honeycomb.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;

class IdentityTest {
    private long time = 1_800_000_000;

    private Identity start(Identity folder, long complete) {
        return folder.nextBoot(Instant.ofEpochSecond(time++), complete);
    }

    @Test
    void shouldRememberItsStartsByWhenTheyWere() throws IOException {
        Identity once = start(Identity.create(new Random(1)), 0);
        Identity folder = start(Identity.decode(once.encode()), 5);
        Identity copy = start(once, 5);
        assertThat(folder.starts()).extracting(Start::boot).containsExactly(1L, 2L);
        assertThat(folder.starts()).extracting(Start::complete).containsExactly(0L, 5L);
        assertThat(copy.starts().getFirst()).isEqualTo(folder.starts().getFirst());
        assertThat(copy.starts().getLast()).isNotEqualTo(folder.starts().getLast());
        assertThat(Identity.decode(folder.encode())).isEqualTo(folder);
    }

    @Test
    void shouldTellAFolderInUseFromEarlierCopiesOfIt() throws IOException {
        Identity copied = start(Identity.create(new Random(1)), 0);
        Identity once = copied.marked(Instant.ofEpochSecond(time));
        Identity again =
                Identity.decode(once.marked(Instant.ofEpochSecond(time)).encode());

        assertThat(once.lastMark()).isGreaterThan(copied.lastMark());
        assertThat(again.lastMark()).as("at the same time").isGreaterThan(once.lastMark());
        assertThat(again.starts()).hasSize(1);
        assertThat(again.boot()).isEqualTo(copied.boot());
    }

    @Test
    void shouldKeepStartsThatTheQueenBeeKnowsHoweverManyAreRefused() {
        Identity folder = Identity.create(new Random(1));
        for (int i = 0; i < Identity.MOST_STARTS / 2; i++) {
            folder = start(folder, i);
        }
        long known = folder.boot();
        for (int i = 0; i < 5 * Identity.MOST_STARTS; i++) {
            folder = start(folder, known);
        }
        assertThat(folder.starts()).hasSize(Identity.MOST_STARTS);
        assertThat(folder.starts().getFirst().boot()).isEqualTo(1);
        assertThat(folder.starts()).extracting(Start::boot).isSorted().contains(known);
        assertThat(folder.starts().getLast().boot()).isEqualTo(folder.boot());
    }

    @Test
    void shouldForgetTheOldestOfStartsThatTheQueenBeeKnows() {
        Identity folder = Identity.create(new Random(1));
        for (int i = 0; i < Identity.MOST_STARTS + 3; i++) {
            folder = start(folder, i);
        }
        assertThat(folder.starts()).hasSize(Identity.MOST_STARTS);
        assertThat(folder.starts().getFirst().boot()).isEqualTo(4);
    }

    @Test
    void shouldReadWhatOlderProgramsWrote() throws IOException {
        Identity old =
                Identity.decode("{\"format\": 1, \"uuid\": \"123e4567-e89b-42d3-a456-426614174000\", \"boot\": 7}"
                        .getBytes(StandardCharsets.UTF_8));
        assertThat(old.starts()).isEmpty();
        assertThat(start(old, 0).starts()).extracting(Start::boot).containsExactly(8L);
    }

    /** An older program would take what is written from now on for its own. */
    @Test
    void shouldSayItsOwnFormatOfAnOlderFolder() {
        Identity present = Identity.create(new Random(1));
        Identity older = new Identity(Identity.FORMAT - 1, present.uuid(), 1, present.starts(), null, null);

        assertThat(start(older, 0).format()).isEqualTo(Identity.FORMAT);
    }
}
