package org.beefs.queenbee.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.DeclareLost;
import org.beefs.common.wire.Inventory;
import org.beefs.common.wire.Layout;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Record;
import org.beefs.common.wire.Register;
import org.beefs.common.wire.ReplicaName;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.journal.StateException;
import org.beefs.queenbee.journal.StateStore;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.Dump;
import org.beefs.queenbee.testing.ListedRecords;
import org.beefs.queenbee.testing.ManualTime;
import org.beefs.queenbee.testing.MemoryStateStore;
import org.beefs.queenbee.testing.RandomWalk;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HiveRecoveryTest {
    private static final Duration SETTLING = Duration.ofSeconds(20);

    private static final Duration CACHED = Duration.ofSeconds(6);

    /** Until it is certain that nobody else has anything open. */
    private static final Duration LEASE = Duration.ofSeconds(31);

    private final TestHive hive = new TestHive();
    private final List<TestDesktop> desktops = new ArrayList<>();
    private final MemoryStateStore fresh = new MemoryStateStore();

    private TestDesktop desktop(String name) {
        TestDesktop desktop = new TestDesktop(hive, name).registered();
        desktops.add(desktop);
        return desktop;
    }

    private RecoveryReport recover() throws IOException {
        return HiveRecovery.run(
                fresh,
                new ManualTime(),
                desktops.stream().map(ListedRecords::of).toList(),
                0);
    }

    /** Sessions are not recovered. */
    private static List<String> dump(TestHive hive) {
        return Dump.of(hive.queenBee().state()).stream()
                .filter(line -> !line.startsWith("session") && !line.startsWith("  answer"))
                .toList();
    }

    private static long inode(QueenReply reply) {
        return reply.getNode().getAttributes().getInode();
    }

    private long file(TestDesktop desktop, long parent, String name) {
        long handle = desktop.newHandle();
        long file = inode(desktop.ok(Ask.create(parent, name, 0644, handle)));
        ReplicaStatus status =
                desktop.replica(file, ReplicaStatus.newBuilder().setSize(10).setObservation(1));
        desktop.ok(Ask.release(file, handle, status));
        return file;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldFindEverythingAgain(long seed) throws IOException {
        Random random = new Random(seed);
        desktop("one");
        desktop("two");
        desktop("three");
        desktop("four");
        for (TestDesktop desktop : desktops) {
            new RandomWalk(desktop, random).steps(500);
            desktop.registered(); // without the files that it has open
        }
        hive.advance(SETTLING);
        List<String> before = dump(hive);

        RecoveryReport report = recover();

        TestHive recovered = new TestHive(fresh);
        assertThat(dump(recovered)).isEqualTo(before);
        assertThat(report.conflicts()).isEmpty();
        assertThat(report.rootMade()).isFalse();
        assertThat(report.lostAndFound()).isEmpty();
        assertThat(report.absent()).isEmpty();
        assertThat(recovered.queenBee().state().incarnation())
                .isGreaterThan(hive.queenBee().state().incarnation());
    }

    @Test
    void shouldTellAllCatalogsAnewAfterwards() throws IOException {
        TestDesktop desktop = desktop("one");
        long file = file(desktop, Namespace.ROOT, "f");
        hive.advance(SETTLING);
        recover();
        TestHive recovered = new TestHive(fresh);
        TestDesktop again = new TestDesktop(recovered, "one", 2, 2).registered();
        recovered.advance(Duration.ofSeconds(1));
        assertThat(again.records()).containsKeys(0L, Namespace.ROOT, file);
    }

    @Test
    void shouldGiveANameToTheLaterOfTwoInodes() throws IOException {
        TestDesktop one = desktop("one");
        TestDesktop two = desktop("two");
        long early = file(one, Namespace.ROOT, "f");
        hive.advance(SETTLING);
        Map<Long, Record> old = new TreeMap<>(one.records());
        one.ok(Ask.rename(Namespace.ROOT, "f", Namespace.ROOT, "g"));
        long late = file(two, Namespace.ROOT, "f");
        hive.advance(SETTLING);

        Map<Long, Record> others = new TreeMap<>(two.records());
        others.remove(early);
        RecoveryReport report = HiveRecovery.run(
                fresh,
                new ManualTime(),
                List.of(ListedRecords.of(one, old.values()), ListedRecords.of(two, others.values())),
                0);

        TestHive recovered = new TestHive(fresh);
        TestDesktop reader = reader(recovered, "reader");
        assertThat(inode(reader.ok(Ask.lookup(Namespace.ROOT, "f")))).isEqualTo(late);
        long lostAndFound = inode(reader.ok(Ask.lookup(Namespace.ROOT, "lost+found")));
        assertThat(inode(reader.ok(Ask.lookup(lostAndFound, Long.toHexString(early) + " %f"))))
                .isEqualTo(early);
        assertThat(report.conflicts()).hasSize(1);
        assertThat(report.lostAndFound()).hasSize(1);
    }

    @Test
    void shouldKeepWhatHasLostItsDirectory() throws IOException {
        TestDesktop one = desktop("one");
        long directory = inode(one.ok(Ask.mkdir(Namespace.ROOT, "d", 0755)));
        long file = file(one, directory, "f");
        hive.advance(SETTLING);
        one.records().remove(directory);

        recover();

        TestDesktop reader = reader(new TestHive(fresh), "reader");
        long lostAndFound = inode(reader.ok(Ask.lookup(Namespace.ROOT, "lost+found")));
        String name = "%x directory %x missing%%f".formatted(file, directory);
        assertThat(inode(reader.ok(Ask.lookup(lostAndFound, name)))).isEqualTo(file);
    }

    @Test
    void shouldNotUseALostAndFoundOfSomebodyElse() throws IOException {
        TestDesktop one = desktop("one");
        long foreign = inode(one.ok(Ask.mkdir(Namespace.ROOT, "lost+found", 0777)));
        one.ok(Ask.chown(foreign, 1000, 1000));
        one.ok(Ask.chmod(foreign, 0777));
        loseADirectory(one);

        RecoveryReport report = recover();

        assertThat(report.lostAndFound()).singleElement().asString().startsWith("/lost+found of the hive/");
        TestDesktop reader = reader(new TestHive(fresh), "reader");
        assertThat(reader.ok(Ask.list(foreign, 0, 10)).getDirectoryPage().getEntriesList())
                .isEmpty();
        assertThat(ownerOf(Ask.lookup(Namespace.ROOT, "lost+found of the hive")))
                .isEqualTo(new StateStore.Owner(0, 0));
    }

    /** Who runs a hive without root is the only one who can use it. */
    @Test
    void shouldGiveLostAndFoundToTheOwnerOfTheRootDirectory() throws IOException {
        TestDesktop one = desktop("one");
        one.ok(Ask.chown(Namespace.ROOT, 1000, 1001));
        loseADirectory(one);

        recover();

        assertThat(ownerOf(Ask.lookup(Namespace.ROOT, "lost+found"))).isEqualTo(new StateStore.Owner(1000, 1001));
    }

    @Test
    void shouldGiveAMissingRootDirectoryToTheOwnerOfTheState() throws IOException {
        TestDesktop one = desktop("one");
        loseADirectory(one);
        one.records().remove(Namespace.ROOT);
        fresh.setOwner(new StateStore.Owner(1000, 1001));

        RecoveryReport report = recover();

        assertThat(report.lines()).anyMatch(line -> line.contains("knows the root directory"));
        assertThat(modeOf(Namespace.ROOT)).as("it may have let in few").isEqualTo(0700);
        assertThat(ownerOf(Ask.attributes(Namespace.ROOT))).isEqualTo(new StateStore.Owner(1000, 1001));
        assertThat(ownerOf(Ask.lookup(Namespace.ROOT, "lost+found"))).isEqualTo(new StateStore.Owner(1000, 1001));
    }

    private int modeOf(long inode) {
        Inode found = new TestHive(fresh).queenBee().state().namespace().find(inode);
        return Objects.requireNonNull(found).mode() & 07777;
    }

    private void loseADirectory(TestDesktop desktop) {
        long directory = inode(desktop.ok(Ask.mkdir(Namespace.ROOT, "d", 0755)));
        file(desktop, directory, "f");
        hive.advance(SETTLING);
        desktop.records().remove(directory);
    }

    private StateStore.Owner ownerOf(QueenRequest.Builder found) {
        TestDesktop reader = reader(new TestHive(fresh), "reader");
        Attributes attributes = reader.ok(found).getNode().getAttributes();
        return new StateStore.Owner(attributes.getUid(), attributes.getGid());
    }

    @Test
    void shouldTakeDirectoriesApartThatAreInOneAnother() throws IOException {
        TestDesktop one = desktop("one");
        long a = inode(one.ok(Ask.mkdir(Namespace.ROOT, "a", 0755)));
        long b = inode(one.ok(Ask.mkdir(Namespace.ROOT, "b", 0755)));
        putIntoOneAnother(one, a, b);

        RecoveryReport report = recover();

        TestHive recovered = new TestHive(fresh);
        assertThat(report.conflicts()).hasSize(1);
        assertThat(report.lostAndFound()).hasSize(1);
        assertThat(recovered.queenBee().state().namespace().size()).isEqualTo(4);
    }

    @Test
    void shouldLeaveWhereItIsWhatIsBelowDirectoriesThatAreInOneAnother() throws IOException {
        TestDesktop one = desktop("one");
        long below = inode(one.ok(Ask.mkdir(Namespace.ROOT, "below", 0755)));
        long a = inode(one.ok(Ask.mkdir(Namespace.ROOT, "a", 0755)));
        long b = inode(one.ok(Ask.mkdir(Namespace.ROOT, "b", 0755)));
        one.ok(Ask.rename(Namespace.ROOT, "below", a, "below"));
        putIntoOneAnother(one, a, b);

        RecoveryReport report = recover();

        assertThat(report.conflicts()).hasSize(1);
        assertThat(report.lostAndFound()).hasSize(1);
        TestDesktop reader = reader(new TestHive(fresh), "reader");
        assertThat(inode(reader.ok(Ask.lookup(a, "below")))).isEqualTo(below);
    }

    /** One catalog has seen the move of one directory, the other one that of the other. */
    private void putIntoOneAnother(TestDesktop desktop, long a, long b) {
        hive.advance(SETTLING);
        desktop.ok(Ask.rename(Namespace.ROOT, "a", b, "a"));
        hive.advance(SETTLING);
        Record aInB = desktop.records().get(a);
        desktop.ok(Ask.rename(b, "a", Namespace.ROOT, "a"));
        desktop.ok(Ask.rename(Namespace.ROOT, "b", a, "b"));
        hive.advance(SETTLING);
        desktop.records().put(a, aInB);
    }

    @Test
    void shouldNotBringBackWhatWasRemovedWhileADesktopWasAway() throws IOException {
        TestDesktop writer = desktop("writer");
        TestDesktop away = desktop("away");
        long file = file(away, Namespace.ROOT, "f");
        hive.advance(SETTLING);
        away.disconnect();
        hive.advance(Duration.ofSeconds(6));
        writer.ok(Ask.unlink(Namespace.ROOT, "f"));
        hive.advance(SETTLING);
        assertThat(away.records()).containsKey(file);

        RecoveryReport report = recover();

        TestHive recovered = new TestHive(fresh);
        assertThat(recovered.queenBee().state().namespace().find(file)).isNull();
        assertThat(report.removed()).isEqualTo(1);
        assertThat(recovered.queenBee().state().records().tombstones()).isEqualTo(1);
        assertRemoves(recovered, file, away, writer);
    }

    /** Nobody has it open any more, so it is gone. */
    @Test
    void shouldRemoveWhatIsLeftOfAFileThatWasUnlinkedWhileItWasOpen() throws IOException {
        TestDesktop writer = desktop("writer");
        TestDesktop other = desktop("other");
        long file = file(writer, Namespace.ROOT, "f");
        writer.openToWrite(file);
        writer.ok(Ask.unlink(Namespace.ROOT, "f"));
        hive.advance(desktops, SETTLING);
        assertThat(writer.records()).containsKey(file);

        RecoveryReport report = recover();

        assertThat(report.unlinked()).isEqualTo(1);
        assertThat(report.removed()).isZero();
        assertRemoves(new TestHive(fresh), file, writer, other);
    }

    /** It may have got a name that no catalog has heard of. */
    @Test
    void shouldKeepContentThatWasMadeToGetItsNameLater() throws IOException {
        TestDesktop writer = desktop("writer");
        QueenRequest.Builder request = QueenRequest.newBuilder();
        request.getCreateUnnamedBuilder()
                .setParent(Namespace.ROOT)
                .setMode(0644)
                .setLinkable(true)
                .setHandle(1);
        long file = inode(writer.ok(request));
        hive.advance(desktops, SETTLING);
        assertThat(writer.records()).containsKey(file);

        RecoveryReport report = recover();

        TestHive recovered = new TestHive(fresh);
        assertThat(report.unlinked()).isZero();
        assertThat(report.removed()).isZero();
        assertThat(report.lines())
                .contains("0 removed inodes were not brought back")
                .anyMatch(line -> line.startsWith("1 files were made without a name"));
        assertThat(recovered.queenBee().state().records().tombstones()).isZero();
        assertThat(recovered.queenBee().state().honeycombs().errandQueues().owing(file))
                .isEmpty();
    }

    /** Its desktop lists the file's replica, as it comes back. */
    private static void assertRemoves(TestHive recovered, long file, TestDesktop holder, TestDesktop other) {
        TestDesktop awake = back(recovered, other);
        awake.records().putAll(other.records());
        awake.registered();
        TestDesktop back = back(recovered, holder);
        back.records().putAll(holder.records());
        back.register(back.register());
        ReplicaName left = ReplicaName.newBuilder().setInode(file).setVersion(1).build();
        back.ok(QueenRequest.newBuilder().setInventory(Inventory.newBuilder().addReplicas(left)));
        back.inventoried();
        recovered.advance(List.of(awake, back), SETTLING);

        assertThat(back.dropped()).contains(file);
        assertThat(recovered.queenBee().state().honeycombs().errandQueues().pendingDrops())
                .isZero();
        assertThat(recovered.queenBee().state().records().tombstones()).isZero();
        assertThat(back.records()).doesNotContainKey(file);
        assertThat(awake.records()).doesNotContainKey(file);
    }

    /** At night, say. */
    @Test
    void shouldFindWhatIsMadeWhileAllButOneAreAway() throws IOException {
        for (int i = 1; i <= 8; i++) {
            desktop("desk" + i);
        }
        hive.advance(desktops, SETTLING);
        TestDesktop awake = desktops.getLast();
        desktops.stream().filter(desktop -> desktop != awake).forEach(TestDesktop::disconnect);
        hive.advance(List.of(awake), SETTLING);
        for (int i = 0; i < 20; i++) {
            file(awake, inode(awake.ok(Ask.mkdir(Namespace.ROOT, "d" + i, 0755))), "f");
        }
        hive.advance(List.of(awake), SETTLING);

        assertThat(recover().lostAndFound()).isEmpty();
        assertThat(new TestHive(fresh).names(Namespace.ROOT)).hasSize(20);
    }

    /** It may have come back after what the catalogs say of it. */
    @Test
    void shouldTakeALostDesktopForOneThatMayKnowAllThatWasFound() throws IOException {
        TestDesktop writer = desktop("writer");
        TestDesktop lost = desktop("lost");
        lost.disconnect();
        hive.advance(Duration.ofSeconds(6));
        writer.ok(QueenRequest.newBuilder()
                .setDeclareLost(DeclareLost.newBuilder().setDesktop("lost")));
        long made = inode(writer.ok(Ask.mkdir(Namespace.ROOT, "d", 0755)));
        hive.advance(SETTLING);
        assertThat(highestKnown(hive)).isLessThan(made);

        recover();

        assertThat(highestKnown(new TestHive(fresh))).isGreaterThanOrEqualTo(made);
    }

    private static long highestKnown(TestHive hive) {
        Honeycomb lost = hive.queenBee().state().honeycombs().lastOn("lost");
        return Objects.requireNonNull(lost.absence().highestKnown()).told();
    }

    @Test
    void shouldSayThatContentMayBeLeftWithoutAName() throws IOException {
        desktop("one");

        assertThat(recover().lines()).last().asString().contains("content without a name", "beefs fsck");
    }

    @Test
    void shouldNameFilesOfDesktopsThatWereNotAskedAndHealThemWhenTheseCome() throws IOException {
        TestDesktop one = desktop("one");
        TestDesktop two = desktop("two");
        long file = file(two, Namespace.ROOT, "f");
        hive.advance(SETTLING);
        one.records().put(file, two.records().get(file)); // as if it had an old secondary

        RecoveryReport report = HiveRecovery.run(fresh, new ManualTime(), List.of(ListedRecords.of(one)), 0);

        assertThat(report.lines())
                .contains("is on two only: /f")
                .anyMatch(line -> line.startsWith("1 files are on two"));
        TestHive recovered = new TestHive(fresh);
        TestDesktop reader = reader(recovered, "one");
        Layout layout = reader.ok(Ask.open(file, 1, true, false)).getNode().getLayout();
        assertThat(layout.getAddress()).isEmpty();
        assertThat(layout.getSecondariesList()).isEmpty();
        assertThat(size(reader, file)).isEqualTo(10);

        TestDesktop back = new TestDesktop(recovered, "two", 2, 2);
        back.replica(file, ReplicaStatus.newBuilder().setSize(77).setObservation(2));
        back.registered();
        Inode known =
                Objects.requireNonNull(recovered.queenBee().state().namespace().find(file));
        ReplicaName written = ReplicaName.newBuilder()
                .setInode(file)
                .setGeneration(known.generation())
                .setEpoch(known.epoch())
                .build();
        back.ok(QueenRequest.newBuilder().setInventory(Inventory.newBuilder().addReplicas(written)));
        back.ok(QueenRequest.newBuilder().setInventory(Inventory.getDefaultInstance()));
        recovered.advance(List.of(reader, back), LEASE);
        assertThat(size(reader, file)).isEqualTo(77);
    }

    /** A desktop of a recovered hive, at a time when nobody caches anything from before any more. */
    private static TestDesktop reader(TestHive recovered, String name) {
        TestDesktop reader = new TestDesktop(recovered, name, 2, 2).registered();
        recovered.advance(List.of(reader), CACHED);
        return reader;
    }

    private static long size(TestDesktop desktop, long file) {
        return desktop.ok(Ask.attributes(file)).getNode().getAttributes().getSize();
    }

    @Test
    void shouldLetInADesktopThatItWentWithoutIfOthersKnewItsIncarnation() throws IOException {
        TestDesktop one = desktop("one");
        TestDesktop two = desktop("two");
        hive.advance(SETTLING);
        one.disconnect();
        file(two, Namespace.ROOT, "later");
        hive.advance(SETTLING);
        TestDesktop third = desktop("third"); // has heard of all that the second has
        hive.advance(SETTLING);

        HiveRecovery.run(fresh, new ManualTime(), List.of(ListedRecords.of(one), ListedRecords.of(third)), 0);

        TestHive recovered = new TestHive(fresh);
        back(recovered, two).register(knowing(recovered, two));
        assertThat(recovered.queenBee().state().olderState().refused()).isEmpty();
    }

    /** Also when the recovered queen-bee has been started several times, and has made as many changes. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void shouldRefuseADesktopThatItWentWithoutAndThatAloneKnowsALaterIncarnation(int starts) throws IOException {
        TestDesktop one = desktop("one");
        TestDesktop two = desktop("two");
        hive.advance(SETTLING);
        for (int i = 0; i < starts; i++) {
            hive.restart();
            two.registered();
            hive.advance(SETTLING); // the first does not come back, and has no more time for it
        }
        for (int i = 0; i < 10; i++) {
            file(two, Namespace.ROOT, "later" + i);
        }
        hive.advance(SETTLING);
        HiveRecovery.run(fresh, new ManualTime(), List.of(ListedRecords.of(one)), 0);

        TestHive recovered = new TestHive(fresh);
        makeMoreThan(10, recovered);
        recovered.restart();
        Errno refusal = back(recovered, two).fails(QueenRequest.newBuilder().setRegister(knowing(recovered, two)));
        assertThat(refusal).isEqualTo(Errno.ESTALE);
        assertThat(recovered.queenBee().state().olderState().refused()).containsExactly("two");

        MemoryStateStore another = new MemoryStateStore();
        HiveRecovery.run(another, new ManualTime(), List.of(ListedRecords.of(one), ListedRecords.of(two)), 0);
        TestDesktop reader = reader(new TestHive(another), "reader");
        assertThat(inode(reader.ok(Ask.lookup(Namespace.ROOT, "later9")))).isPositive();
    }

    private static void makeMoreThan(int changes, TestHive recovered) {
        TestDesktop other = reader(recovered, "other");
        for (int i = 0; i < 10 * changes; i++) {
            other.ok(Ask.mkdir(Namespace.ROOT, "new" + i, 0755));
        }
    }

    /** The desktop's daemon, started anew. */
    private static TestDesktop back(TestHive recovered, TestDesktop desktop) {
        return new TestDesktop(recovered, desktop.name(), 2, 2);
    }

    /** With a catalog as the desktop has it. */
    private static Register.Builder knowing(TestHive recovered, TestDesktop desktop) {
        Register.Builder register = back(recovered, desktop).register();
        register.getHoneycombBuilder().setRecords(desktop.recordsState());
        return register;
    }

    @Test
    void shouldNameNoMoreFilesThanPeopleRead() throws IOException {
        TestDesktop one = desktop("one");
        TestDesktop two = desktop("two");
        for (int i = 0; i < AbsentFiles.MOST_NAMED + 5; i++) {
            long file = file(two, Namespace.ROOT, "f" + i);
            one.ok(Ask.chmod(file, 0600));
        }
        hive.advance(SETTLING);
        one.records().putAll(two.records());

        RecoveryReport report = HiveRecovery.run(fresh, new ManualTime(), List.of(ListedRecords.of(one)), 0);

        assertThat(report.lines().stream().filter(line -> line.startsWith("is on two only: ")))
                .hasSize(AbsentFiles.MOST_NAMED);
        assertThat(report.lines()).contains("and 5 more on two");
    }

    /** What a queen-bee has numbered whose state was thrown away is never numbered again. */
    @Test
    void shouldGoOnAboveWhatWasServedMeanwhile() throws IOException {
        TestDesktop one = desktop("one");
        hive.advance(SETTLING);
        RecoveryReport report = HiveRecovery.run(fresh, new ManualTime(), List.of(ListedRecords.of(one)), 1017);
        assertThat(report.incarnation()).isEqualTo(1018);
        assertThat(new TestHive(fresh).queenBee().state().incarnation()).isEqualTo(1019);
    }

    @Test
    void shouldRefuseToMixHives() {
        TestDesktop one = desktop("one");
        TestHive other = new TestHive();
        TestDesktop stranger = new TestDesktop(other, "two").registered();
        hive.advance(SETTLING);
        other.advance(SETTLING);
        // Test hives have the same number, as they have the same seed.
        ListedRecords strange = new ListedRecords(
                "two",
                TestDesktop.uuid("two"),
                stranger.recordsState().toBuilder()
                        .setHive(TestDesktop.uuid("other"))
                        .build(),
                List.copyOf(stranger.records().values()));
        assertThatThrownBy(() -> HiveRecovery.run(fresh, new ManualTime(), List.of(ListedRecords.of(one), strange), 0))
                .isInstanceOf(StateException.class)
                .hasMessageContaining("another hive");
    }
}
