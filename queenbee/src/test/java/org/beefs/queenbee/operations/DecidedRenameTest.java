package org.beefs.queenbee.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.Decided;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;

/** Files that a desktop has renamed before it asked, when that comes in time, late, and again. */
class DecidedRenameTest {
    private static final Duration SILENCE = Duration.ofSeconds(6);

    private final TestHive hive = new TestHive();
    private final TestDesktop maker = new TestDesktop(hive, "maker");
    private final TestDesktop other = new TestDesktop(hive, "other");
    private final Decided decided = Decided.register(maker);
    private final long directory;
    private final long file = decided.number();

    DecidedRenameTest() {
        other.registered();
        directory = inode(maker.ok(Ask.mkdir(Namespace.ROOT, "d", 0755)));
        maker.ok(decided.create(directory, "new", file, 1));
    }

    @Test
    void shouldGiveTheFileItsNewNameAtTheTimeThatWasChosen() {
        QueenReply renamed = maker.ok(rename("new", "f", 0));

        assertThat(names()).containsExactlyEntriesOf(Map.of("f", file));
        assertThat(renamed.getEntryCookie()).isPositive();
        assertThat(attributes(file).getCtime().getSeconds()).isEqualTo(Decided.TIME);
        assertThat(attributes(directory).getMtime().getSeconds()).isEqualTo(Decided.TIME);
    }

    @Test
    void shouldReplaceWhatItWasDecidedToReplace() {
        long replaced = decided.number();
        maker.ok(decided.create(directory, "f", replaced, 2));

        maker.ok(rename("new", "f", replaced));

        assertThat(names()).containsExactlyEntriesOf(Map.of("f", file));
    }

    @Test
    void shouldReplaceNothingElseThatHasGotTheNameSince() {
        long replaced = decided.number();
        maker.ok(decided.create(directory, "f", replaced, 2));
        hive.advance(List.of(other), SILENCE);
        other.ok(Ask.unlink(directory, "f"));
        long taken = inode(other.ok(Ask.create(directory, "f", 0644, 1)));

        late(rename("new", "f", replaced));

        assertThat(names()).hasSize(2).containsEntry("f", taken);
        assertThat(names().lastEntry().getKey()).startsWith("f.conflict-maker-");
        assertThat(names().lastEntry().getValue()).isEqualTo(file);
    }

    @Test
    void shouldNotReplaceLateWhatAnotherHasChangedSince() {
        long replaced = decided.number();
        maker.ok(decided.create(directory, "f", replaced, 2));
        maker.ok(Ask.release(replaced, 2, Ask.written(replaced, 10)));
        QueenRequest.Builder late = rename("new", "f", replaced);
        late.getDecisionBuilder().setFormerCtime(attributes(replaced).getCtime());
        hive.advance(List.of(other), SILENCE);
        other.ok(Ask.chmod(replaced, 0600));

        late(late);

        assertThat(names()).hasSize(2).containsEntry("f", replaced);
        assertThat(names().lastEntry().getValue()).isEqualTo(file);
    }

    @Test
    void shouldFindAFileAgainThatIsRenamedOnceMore() {
        hive.advance(List.of(other), SILENCE);
        long taken = inode(other.ok(Ask.create(directory, "f", 0644, 1)));

        late(rename("new", "f", 0), rename("f", "g", 0));

        assertThat(names()).containsExactlyInAnyOrderEntriesOf(Map.of("f", taken, "g", file));
    }

    @Test
    void shouldRenameAFileThatWasMadeLateUnderAnotherName() {
        hive.advance(List.of(other), SILENCE);
        long taken = inode(other.ok(Ask.create(directory, "tmp", 0644, 1)));
        long made = decided.number();

        late(decided.create(directory, "tmp", made, 2), Decided.rename(directory, "tmp", "g", made, 0));

        assertThat(names()).containsExactlyInAnyOrderEntriesOf(Map.of("new", file, "tmp", taken, "g", made));
    }

    @Test
    void shouldLeaveAFileWhereAnotherHasMovedItSince() {
        hive.advance(List.of(other), SILENCE);
        other.ok(Ask.rename(directory, "new", directory, "moved"));

        late(rename("new", "f", 0));

        assertThat(names()).containsExactlyEntriesOf(Map.of("moved", file));
    }

    @Test
    void shouldLeaveAFileGoneThatAnotherHasRemovedSince() {
        hive.advance(List.of(other), SILENCE);
        other.ok(Ask.unlink(directory, "new"));

        late(rename("new", "f", 0));

        assertThat(names()).isEmpty();
    }

    @Test
    void shouldRenameNothingTwice() {
        QueenRequest once = rename("new", "f", 0).build();
        maker.ok(once.toBuilder());
        maker.ok(decided.create(directory, "new", decided.number(), 2));
        Map<String, Long> before = names();

        maker.register(maker.register().addDecided(once));

        assertThat(names()).isEqualTo(before);
    }

    private QueenRequest.Builder rename(String from, String to, long replaced) {
        return Decided.rename(directory, from, to, file, replaced);
    }

    private void late(QueenRequest.Builder... changes) {
        var register = maker.register();
        for (QueenRequest.Builder change : changes) {
            register.addDecided(maker.numbered(change));
        }
        maker.register(register);
    }

    private Attributes attributes(long inode) {
        return maker.ok(Ask.attributes(inode)).getNode().getAttributes();
    }

    /** What is in the directory: inodes by name. */
    private SequencedMap<String, Long> names() {
        return hive.names(directory);
    }

    private static long inode(QueenReply reply) {
        return reply.getNode().getAttributes().getInode();
    }
}
