package org.beefs.queenbee.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.QueenReply;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.Decided;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;

/** A directory that has been there is delegated to whoever changes names in it, while nobody else knows of it. */
class ChangedDirectoryTest {
    private static final long ROOT = Namespace.ROOT;

    private final TestHive hive = new TestHive();
    private final TestDesktop changer = new TestDesktop(hive, "changer");
    private final TestDesktop other = new TestDesktop(hive, "other");
    private final Decided decided = Decided.register(changer);
    private final long directory;

    ChangedDirectoryTest() {
        other.registered();
        directory = mkdirByTheOther("d");
        other.registered();
    }

    @Test
    void shouldBeDelegatedToWhoMakesANameInIt() {
        assertThat(delegatedBy(create("f"))).containsExactly(directory);
    }

    @Test
    void shouldBeDelegatedToWhoRemovesOrMovesANameInIt() {
        create("f");
        create("g");
        changer.registered();

        assertThat(delegatedBy(changer.ok(Ask.unlink(directory, "f")))).containsExactly(directory);
        changer.registered();
        assertThat(delegatedBy(changer.ok(Ask.rename(directory, "g", ROOT, "g"))))
                .containsExactlyInAnyOrder(directory, ROOT);
    }

    @Test
    void shouldNotBeDelegatedToWhoChangesOnlyItself() {
        assertThat(delegatedBy(changer.ok(Ask.chmod(directory, 0700)))).isEmpty();
        assertThat(delegatedBy(changer.ok(Ask.setXattr(directory, "user.a", "b"))))
                .isEmpty();
    }

    @Test
    void shouldHaveWhatIsMadeInItNextDelegatedToo() {
        create("f");

        assertThat(create("g").getNode().getDelegated()).isTrue();
    }

    @Test
    void shouldNotBeDelegatedWhileOthersKnowItsNames() {
        other.ok(Ask.list(directory, 0, 10));

        assertThat(delegatedBy(create("f"))).isEmpty();
    }

    @Test
    void shouldBeDelegatedWhenOthersHaveLetGo() {
        other.ok(Ask.attributes(directory));

        assertThat(delegatedBy(create("f"))).containsExactly(directory);
    }

    @Test
    void shouldBeRecalledWhenOthersLook() {
        create("f");

        other.ok(Ask.lookup(directory, "f"));

        assertThat(changer.recalls()).flatMap(recall -> recall.getInodesList()).contains(directory);
    }

    @Test
    void shouldNotBeDelegatedAgainForTenSecondsAfterItWasRecalled() {
        create("f");
        other.ok(Ask.attributes(directory));

        assertThat(delegatedBy(create("g"))).isEmpty();
        hive.advance(List.of(changer, other), Duration.ofSeconds(8));
        assertThat(delegatedBy(create("h"))).isEmpty();
        hive.advance(List.of(changer, other), Duration.ofSeconds(4));
        assertThat(delegatedBy(create("i"))).containsExactly(directory);
    }

    @Test
    void shouldNotBeDelegatedWithSettingsOfItsOwn() {
        changer.ok(Ask.setXattr(directory, "beefs.replicas", "2"));

        assertThat(delegatedBy(create("f"))).isEmpty();
    }

    @Test
    void shouldTakeWhatWasDecidedInIt() {
        create("f");
        long made = decided.number();

        changer.ok(decided.create(directory, "new", made, 9));

        assertThat(other.ok(Ask.lookup(directory, "new"))
                        .getNode()
                        .getAttributes()
                        .getInode())
                .isEqualTo(made);
    }

    @Test
    void shouldComeWithTheNamesOfFilesForWhoRemovesOne() {
        List<Long> files = madeByTheOther("f", "g", "h");
        other.ok(Ask.mkdir(directory, "i", 0755));
        other.registered();

        QueenReply removed = changer.ok(Ask.unlink(directory, "f"));

        assertThat(removed.getDelegatedNamesList()).isEqualTo(files.subList(1, 3));
        changer.ok(Decided.unlink(directory, "g", files.get(1)));
        assertThat(changer.fails(Ask.lookup(directory, "g"))).isEqualTo(Errno.ENOENT);
    }

    @Test
    void shouldComeWithNamesForWhoMovesOne() {
        List<Long> files = madeByTheOther("f", "g");

        QueenReply moved = changer.ok(Ask.rename(directory, "f", directory, "h"));

        assertThat(moved.getDelegatedNamesList()).isEqualTo(files.reversed());
    }

    @Test
    void shouldNotComeWithNamesForWhoMakesOne() {
        madeByTheOther("f", "g");

        assertThat(create("h").getDelegatedNamesList()).isEmpty();
    }

    @Test
    void shouldNotComeWithFilesThatOthersKnowOrThatHaveTwoNames() {
        List<Long> files = madeByTheOther("f", "g", "h", "i");
        other.ok(Ask.attributes(files.get(1)));
        changer.ok(Ask.link(files.get(2), ROOT, "another"));

        QueenReply removed = changer.ok(Ask.unlink(directory, "f"));

        assertThat(removed.getDelegatedNamesList()).containsExactly(files.get(3));
    }

    @Test
    void shouldNotComeWithMoreNamesThanAreWorthTheLook() {
        madeByTheOther(IntStream.range(0, 200).mapToObj(each -> "f" + each).toArray(String[]::new));

        assertThat(changer.ok(Ask.unlink(directory, "f0")).getDelegatedNamesList())
                .hasSize(128);
        assertThat(changer.ok(Ask.unlink(directory, "f199")).getDelegatedNamesList())
                .as("not again")
                .isEmpty();
    }

    @Test
    void shouldBeTakenFromOthersWhenItSeemsToBeEmptied() {
        String[] names = IntStream.range(0, 20).mapToObj(each -> "f" + each).toArray(String[]::new);
        List<Long> files = madeByTheOther(names);
        files.forEach(file -> other.ok(Ask.attributes(file)));

        for (int each = 0; each < 8; each++) {
            assertThat(changer.ok(Ask.unlink(directory, names[each])).getDelegatedNamesList())
                    .isEmpty();
        }

        assertThat(other.recalls().getLast().getInodesList()).isEqualTo(files.subList(8, 20));
        assertThat(changer.ok(Ask.unlink(directory, names[8])).getDelegatedNamesList())
                .isEqualTo(files.subList(9, 20));
    }

    @Test
    void shouldBeTakenFromOthersAlsoWhileItIsNotDelegated() {
        String[] names = IntStream.range(0, 20).mapToObj(each -> "f" + each).toArray(String[]::new);
        List<Long> files = madeByTheOther(names);
        other.ok(Ask.list(directory, 0, 100));
        files.forEach(file -> other.ok(Ask.attributes(file)));

        for (int each = 0; each < 8; each++) {
            changer.ok(Ask.unlink(directory, names[each]));
        }

        assertThat(other.recalls().getLast().getInodesList()).isEqualTo(files.subList(8, 20));
        assertThat(changer.ok(Ask.unlink(directory, names[8])).getDelegatedNamesList())
                .isEmpty();
    }

    @Test
    void shouldBeTakenFromOthersWhenAllIsMovedElsewhereAndNotWhatIsThere() {
        String[] names = IntStream.range(0, 20).mapToObj(each -> "f" + each).toArray(String[]::new);
        List<Long> files = madeByTheOther(names);
        long full = mkdirByTheOther("full");
        long there = other.ok(Ask.create(full, "there", 0644, other.newHandle()))
                .getNode()
                .getAttributes()
                .getInode();
        other.registered();
        files.forEach(file -> other.ok(Ask.attributes(file)));
        other.ok(Ask.attributes(there));

        for (int each = 0; each < 8; each++) {
            changer.ok(Ask.rename(directory, names[each], full, names[each]));
        }

        assertThat(recalledFromTheOther()).containsAll(files.subList(8, 20)).doesNotContain(there);
    }

    @Test
    void shouldNotBeTakenFromOthersWhenNamesInItAreChanged() {
        String[] names = IntStream.range(0, 20).mapToObj(each -> "f" + each).toArray(String[]::new);
        List<Long> files = madeByTheOther(names);
        other.ok(Ask.list(directory, 0, 100));
        files.forEach(file -> other.ok(Ask.attributes(file)));

        for (int each = 0; each < 8; each++) {
            changer.ok(Ask.rename(directory, names[each], directory, names[each] + ".new"));
        }

        assertThat(recalledFromTheOther()).doesNotContainAnyElementsOf(files.subList(8, 20));
    }

    @Test
    void shouldNotCountAsEmptiedByNamesThatAreChangedInIt() {
        String[] names = IntStream.range(0, 20).mapToObj(each -> "f" + each).toArray(String[]::new);
        List<Long> files = madeByTheOther(names);
        files.forEach(file -> other.ok(Ask.attributes(file)));

        for (int each = 0; each < 8; each++) {
            changer.ok(Ask.rename(directory, names[each], directory, names[each] + ".new"));
        }
        changer.ok(Ask.unlink(directory, names[8]));

        assertThat(recalledFromTheOther()).doesNotContainAnyElementsOf(files.subList(9, 20));
    }

    @Test
    void shouldHaveAFileRecalledThatOthersLookFor() {
        List<Long> files = madeByTheOther("f", "g");
        changer.ok(Ask.unlink(directory, "f"));

        other.ok(Ask.attributes(files.get(1)));

        assertThat(changer.recalls()).flatMap(recall -> recall.getInodesList()).contains(files.get(1));
    }

    @Test
    void shouldLeaseNothingOfAFileToWhoClosesItWhileItsNameIsDelegated() {
        List<Long> files = madeByTheOther("f", "g");
        other.ok(Ask.open(files.get(1), 99, true, false));
        other.ok(Ask.open(files.get(1), 100, true, true));
        changer.ok(Ask.chmod(files.get(1), 0600)); // the other keeps it open, and knows nothing of it any more

        assertThat(changer.ok(Ask.unlink(directory, "f")).getDelegatedNamesList())
                .contains(files.get(1));
        QueenReply closed = other.ok(Ask.release(files.get(1), 100, Ask.written(files.get(1), 10)));

        assertThat(closed.getNode().getAttributesLeased()).isFalse();
    }

    /** Inodes of files that the other has made, of which it knows nothing any more. */
    private List<Long> madeByTheOther(String... names) {
        List<Long> files = Stream.of(names)
                .map(name -> other.ok(Ask.create(directory, name, 0644, other.newHandle())))
                .map(made -> made.getNode().getAttributes().getInode())
                .toList();
        other.registered();
        return files;
    }

    private long mkdirByTheOther(String name) {
        return other.ok(Ask.mkdir(ROOT, name, 0755)).getNode().getAttributes().getInode();
    }

    private List<Long> recalledFromTheOther() {
        return other.recalls().stream()
                .flatMap(recall -> recall.getInodesList().stream())
                .toList();
    }

    private QueenReply create(String name) {
        return changer.ok(Ask.create(directory, name, 0644, changer.newHandle()));
    }

    private static List<Long> delegatedBy(QueenReply reply) {
        return reply.getTouchedList().stream()
                .filter(Node::getDelegated)
                .map(node -> node.getAttributes().getInode())
                .toList();
    }
}
