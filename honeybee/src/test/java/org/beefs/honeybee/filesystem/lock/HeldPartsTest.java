package org.beefs.honeybee.filesystem.lock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.beefs.common.wire.LockMode;
import org.beefs.common.wire.LockPart;
import org.beefs.common.wire.LockRange;
import org.junit.jupiter.api.Test;

class HeldPartsTest {
    private static final int BYTES = 12;

    private final HeldParts parts = new HeldParts();

    @Test
    void shouldHoldNothingAtFirst() {
        assertThat(describe(0, Long.MAX_VALUE)).containsExactly("UNLOCKED 0-" + Long.MAX_VALUE);
    }

    @Test
    void shouldShowThePartsOfARange() {
        set(LockMode.SHARED, 2, 5);
        set(LockMode.EXCLUSIVE, 4, Long.MAX_VALUE);

        assertThat(describe(3, 9)).containsExactly("SHARED 3-3", "EXCLUSIVE 4-9");
        assertThat(describe(0, Long.MAX_VALUE))
                .containsExactly("UNLOCKED 0-1", "SHARED 2-3", "EXCLUSIVE 4-" + Long.MAX_VALUE);
    }

    @Test
    void shouldMergeWhatIsHeldAlike() {
        set(LockMode.SHARED, 0, 4);
        set(LockMode.SHARED, 5, 9);

        assertThat(describe(0, 9)).containsExactly("SHARED 0-9");
    }

    @Test
    void shouldSayWhatIsHeld() {
        set(LockMode.SHARED, 0, 4);
        set(LockMode.EXCLUSIVE, 8, 9);
        set(LockMode.UNLOCKED, 2, 2);

        assertThat(parts.held()).containsExactly(range(0, 1), range(3, 4), range(8, 9));
    }

    @Test
    void shouldShowEachByteAsItWasSetLast() {
        SplittableRandom random = new SplittableRandom(1);
        LockMode[] bytes = new LockMode[BYTES];
        Arrays.fill(bytes, LockMode.UNLOCKED);
        List<LockMode> modes = List.of(LockMode.UNLOCKED, LockMode.SHARED, LockMode.EXCLUSIVE);
        for (int step = 0; step < 1000; step++) {
            int start = random.nextInt(BYTES);
            int end = start + random.nextInt(BYTES - start);
            LockMode mode = modes.get(random.nextInt(modes.size()));
            set(mode, start, end);
            Arrays.fill(bytes, start, end + 1, mode);

            LockMode[] shown = new LockMode[BYTES];
            for (LockPart part : parts.within(range(0, BYTES - 1))) {
                Arrays.fill(
                        shown,
                        (int) part.getRange().getStart(),
                        (int) part.getRange().getEnd() + 1,
                        part.getMode());
            }
            assertThat(shown).as("step %d", step).isEqualTo(bytes);
        }
    }

    private void set(LockMode mode, long start, long end) {
        parts.set(range(start, end), mode);
    }

    private List<String> describe(long start, long end) {
        return parts.within(range(start, end)).stream()
                .map(part -> "%s %d-%d"
                        .formatted(
                                part.getMode(),
                                part.getRange().getStart(),
                                part.getRange().getEnd()))
                .toList();
    }

    private static LockRange range(long start, long end) {
        return LockRange.newBuilder().setStart(start).setEnd(end).build();
    }
}
