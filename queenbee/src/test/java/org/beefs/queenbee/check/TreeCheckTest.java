package org.beefs.queenbee.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.CheckInodes;
import org.beefs.common.wire.Finding;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Remedy;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Mutation;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.CheckedHive;
import org.beefs.queenbee.testing.MemoryStateStore;
import org.beefs.queenbee.testing.Planted;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;

/** What a check says of names, link counts and forgotten files, and repairs. */
class TreeCheckTest {
    private static final long ROOT = Namespace.ROOT;

    private final MemoryStateStore store = new MemoryStateStore();
    private final Planted planted = new Planted(store);
    private final TestHive hive = new TestHive(store);
    private final TestDesktop desktop = new TestDesktop(hive, "desk").registered();
    private final CheckedHive check = new CheckedHive(desktop);

    private long directory(long parent, String name) {
        return desktop.ok(Ask.mkdir(parent, name, 0755))
                .getNode()
                .getAttributes()
                .getInode();
    }

    private long file(long parent, String name) {
        return desktop.ok(Ask.mknod(parent, name, 0100644))
                .getNode()
                .getAttributes()
                .getInode();
    }

    private long resolve(String... names) {
        long at = ROOT;
        for (String name : names) {
            at = desktop.ok(Ask.lookup(at, name)).getNode().getAttributes().getInode();
        }
        return at;
    }

    private Inode inode(long number) {
        return Objects.requireNonNull(hive.queenBee().state().namespace().find(number));
    }

    private void restart() {
        hive.restart();
        desktop.register(desktop.register());
    }

    /** Behind everybody's back. */
    private void mutate(Mutation mutation) {
        QueenState state = hive.queenBee().state();
        state.namespace()
                .apply(mutation, state.journal().next(), state.journal().batch());
        state.journal().advance();
    }

    /** One finding without repair, the same repaired, nothing afterwards, also after a restart. */
    private Finding findAndRepair(String kind) {
        Finding found = onlyOne(check.inodes(false));
        assertThat(found.getRemedy()).isEqualTo(Remedy.REMEDY_POSSIBLE);
        assertThat(onlyOne(check.inodes(false))).isEqualTo(found);
        assertThat(onlyOne(check.inodes(true)))
                .isEqualTo(found.toBuilder().setRemedy(Remedy.REMEDY_DONE).build());
        assertThat(check.inodes(false)).isEmpty();
        restart();
        assertThat(check.inodes(false)).isEmpty();
        assertThat(found.getKind()).isEqualTo(kind);
        return found;
    }

    private static Finding onlyOne(List<Finding> findings) {
        assertThat(findings).hasSize(1);
        return findings.getFirst();
    }

    /** Copies for each of them would be 100 MB, and for as many names as there may be, a second for each request. */
    @Test
    void shouldLookThroughTheNamesOfAFileOnceForAllThatAreLookedAtTogether() {
        long many = directory(ROOT, "many");
        long file = file(many, "file");
        for (int i = 1; i < 4000; i++) {
            desktop.ok(Ask.link(file, many, "name" + i));
        }
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

        long before = threads.getCurrentThreadAllocatedBytes();
        List<Finding> findings = check.inodes(false);
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;

        assertThat(findings).isEmpty();
        assertThat(allocated).isLessThan(20_000_000);
    }

    @Test
    void shouldFindNothingInAHiveThatIsInOrder() {
        long a = directory(ROOT, "a");
        directory(a, "b");
        long file = file(a, "file");
        desktop.ok(Ask.link(file, ROOT, "hard"));
        desktop.ok(Ask.symlink(a, "soft", "file"));
        desktop.ok(Ask.create(a, "open", 0644, 7));
        desktop.ok(Ask.unlink(a, "open"));

        assertThat(check.inodes(true)).isEmpty();
        restart();
        assertThat(check.inodes(true)).isEmpty();
    }

    @Test
    void shouldCorrectLinkCounts() {
        long file = file(ROOT, "file");
        planted.inode(file, record -> record.setLinks(3));
        restart();

        Finding found = findAndRepair("link-count");

        assertThat(found.getPath().toStringUtf8()).isEqualTo("/file");
        assertThat(found.getSentence()).contains("says that it has 3 links, and has 1");
        assertThat(inode(file).links()).isEqualTo(1);
    }

    @Test
    void shouldCountTheSubdirectoriesOfADirectory() {
        long parent = directory(ROOT, "parent");
        directory(parent, "one");
        directory(parent, "two");
        file(parent, "file");
        planted.inode(parent, record -> record.setLinks(2));
        restart();

        findAndRepair("link-count");

        assertThat(inode(parent).links()).isEqualTo(4);
    }

    @Test
    void shouldCountALargeDirectoryInParts() {
        long parent = directory(ROOT, "parent");
        for (int i = 0; i < TreeCheck.MOST_ENTRIES + 10; i++) {
            directory(parent, "child" + i);
        }
        planted.inode(parent, record -> record.setLinks(2));
        restart();

        findAndRepair("link-count");

        assertThat(inode(parent).links()).isEqualTo(TreeCheck.MOST_ENTRIES + 12);
    }

    @Test
    void shouldGiveANameToWhatHasNone() {
        long parent = directory(ROOT, "parent");
        long nameless = directory(parent, "nameless");
        long inside = file(nameless, "inside");
        planted.removeEntry(parent, "nameless");
        planted.inode(parent, record -> record.setLinks(2));
        restart();

        Finding found = findAndRepair("nameless");

        assertThat(found.getInode()).isEqualTo(nameless);
        assertThat(resolve("lost+found", Long.toHexString(nameless) + " ", "inside"))
                .isEqualTo(inside);
    }

    @Test
    void shouldGiveANameToAFileThatHasNone() {
        long file = file(ROOT, "file");
        planted.removeEntry(ROOT, "file");
        planted.inode(file, record -> record.setLinks(2));
        restart();

        findAndRepair("nameless");

        assertThat(resolve("lost+found", Long.toHexString(file) + " ")).isEqualTo(file);
        assertThat(inode(file).links()).isEqualTo(1);
    }

    @Test
    void shouldNotUseALostAndFoundOfSomebodyElse() {
        long foreign = directory(ROOT, "lost+found");
        desktop.ok(Ask.chown(foreign, 1000, 1000));
        desktop.ok(Ask.chmod(foreign, 0777));
        file(ROOT, "lost+found of the hive");
        long file = file(ROOT, "file");
        planted.removeEntry(ROOT, "file");
        restart();

        findAndRepair("nameless");

        assertThat(resolve("lost+found of the hive 2", Long.toHexString(file) + " "))
                .isEqualTo(file);
        assertThat(inode(file).path()).startsWith("/lost+found of the hive 2/");
    }

    @Test
    void shouldNotGoAllTheWayUpFromEachDirectoryOfAChain() {
        List<Inode> chain = new ArrayList<>();
        long last = ROOT;
        for (int depth = 0; depth < 1000; depth++) {
            last = directory(last, "d");
            chain.add(inode(last));
        }

        assertThat(stepsUp(chain)).isLessThan(1100);
        assertThat(stepsUp(chain.reversed())).isLessThan(20_000);
        Collections.shuffle(chain, new Random(1));
        assertThat(stepsUp(chain)).isLessThan(20_000);
    }

    private static long stepsUp(List<Inode> directories) {
        WaysUp ways = new WaysUp();
        assertThat(directories).noneMatch(ways::isInside);
        return ways.steps();
    }

    @Test
    void shouldTakeADirectoryOutOfItself() {
        long outer = directory(ROOT, "outer");
        long inner = directory(outer, "inner");
        file(inner, "inside");
        planted.removeEntry(ROOT, "outer");
        planted.addEntry(inner, 99, "outer", outer);
        planted.inode(inner, record -> record.setLinks(3));
        planted.inode(ROOT, record -> record.setLinks(2));
        restart();
        assertThat(check.inodes(false)).extracting(Finding::getKind).containsExactly("loop", "loop");

        List<Finding> repaired = check.inodes(true);

        assertThat(onlyOne(repaired).getRemedy()).isEqualTo(Remedy.REMEDY_DONE);
        assertThat(check.inodes(false)).isEmpty();
        restart();
        assertThat(check.inodes(false)).isEmpty();
        assertThat(inode(outer).path()).startsWith("/lost+found/");
        assertThat(inode(inner).path()).startsWith("/lost+found/");
    }

    @Test
    void shouldLeaveADirectoryWithTwoNamesToAPerson() {
        long twice = directory(ROOT, "twice");
        long parent = directory(ROOT, "parent");
        planted.addEntry(parent, 99, "again", twice);
        planted.inode(parent, record -> record.setLinks(3));
        restart();

        Finding found = onlyOne(check.inodes(true));

        assertThat(found.getKind()).isEqualTo("names");
        assertThat(found.getRemedy()).isEqualTo(Remedy.REMEDY_NONE);
        assertThat(onlyOne(check.inodes(true))).isEqualTo(found);
    }

    @Test
    void shouldRemoveAFileThatNobodyCanReach() {
        long file = file(ROOT, "file");
        mutate(new Mutation.RemoveLink(ROOT, Ask.bytes("file"), 1));

        Finding found = findAndRepair("orphan");

        assertThat(found.getInode()).isEqualTo(file);
        assertThat(hive.queenBee().state().namespace().find(file)).isNull();
    }

    @Test
    void shouldAskForAFileThatWasLeftDirty() {
        long file = file(ROOT, "file");
        mutate(new Mutation.BeginWrite(file));

        findAndRepair("left-dirty");

        assertThat(inode(file).dirty()).isFalse();
    }

    @Test
    void shouldTakeAnImpossibleSecondaryOutOfAFilesReplicas() {
        long file = file(ROOT, "file");
        planted.inode(file, record -> record.setVersion(7).addSecondaries(1).addSecondaries(0));
        restart();

        findAndRepair("places");

        assertThat(inode(file).secondaries().isEmpty()).isTrue();
    }

    @Test
    void shouldSeeEveryInodeOnceThoughOthersComeAndGo() {
        Set<Long> staying = new HashSet<>();
        for (int i = 0; i < 3000; i++) {
            staying.add(file(ROOT, "stays" + i));
            file(ROOT, "goes" + i);
        }
        List<Long> seen = new ArrayList<>();
        Namespace namespace = hive.queenBee().state().namespace();
        int round = 0;
        for (int from = namespace.forSome(0, 128, inode -> seen.add(inode.number())); from != 0; round++) {
            // The table is made larger, then smaller, while it is gone through.
            for (int i = 0; i < 200; i++) {
                if (round < 30) {
                    file(ROOT, "new %d %d".formatted(round, i));
                } else if (round < 45) {
                    desktop.ok(Ask.unlink(ROOT, "goes" + ((round - 30) * 200 + i)));
                    desktop.ok(Ask.unlink(ROOT, "new %d %d".formatted(round - 30, i)));
                }
            }
            from = namespace.forSome(from, 128, inode -> seen.add(inode.number()));
        }
        assertThat(round).isGreaterThan(45);
        assertThat(seen).doesNotHaveDuplicates().containsAll(staying);
    }

    @Test
    void shouldWaitForTheDesktopsAfterARestart() {
        hive.restart();
        assertThat(desktop.fails(QueenRequest.newBuilder().setCheckInodes(CheckInodes.getDefaultInstance())))
                .isEqualTo(Errno.EAGAIN);
    }
}
