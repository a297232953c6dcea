package org.beefs.queenbee.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.beefs.common.log.LogLines;
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.Inventory;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.RecordsState;
import org.beefs.common.wire.Register;
import org.beefs.common.wire.ReplicaName;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.MemoryStateStore;
import org.beefs.queenbee.testing.TestConfig;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A queen-bee whose state is older than what the honeycombs hold, because a copy was restored or power failed. */
class OlderStateTest {
    private static final Duration A_WHILE = Duration.ofSeconds(20);

    private final MemoryStateStore store = new MemoryStateStore();
    private final TestHive hive = new TestHive(store);
    private final TestDesktop desktop = new TestDesktop(hive, "desk").registered();

    @Test
    void shouldKeepReplicasOfFilesThatWereMadeAfterTheCopy() {
        long known = create(desktop, "known");
        MemoryStateStore copy = store.copy();
        long lost = create(desktop, "lost");

        TestHive restored = new TestHive(copy);
        TestDesktop back = new TestDesktop(restored, "desk").registered();
        assertThat(unwanted(back, known, lost)).isEmpty();

        // Also when higher numbers were issued since.
        create(back, "new");
        restored.restart();
        back.register(back.register());
        assertThat(unwanted(back, known, lost)).isEmpty();
    }

    @Test
    void shouldKeepReplicasOfFilesWhoseMakingWasLostWithThePower() {
        desktop.ok(Ask.sync());
        long lost = create(desktop, "lost");
        store.losePower(batches -> 0);
        hive.restart();
        desktop.register(desktop.register());

        create(desktop, "new");
        assertThat(unwanted(desktop, lost)).isEmpty();
    }

    @Test
    void shouldRemoveReplicasOfFilesThatWereRemovedInAnyIncarnation() {
        long first = create(desktop, "first");
        remove(desktop, "first", first);
        hive.restart();
        desktop.registered();
        long second = create(desktop, "second");
        remove(desktop, "second", second);

        assertThat(unwanted(desktop, first, second)).containsExactly(first, second);
        hive.restart();
        desktop.register(desktop.register());
        hive.restart();
        desktop.register(desktop.register());
        assertThat(unwanted(desktop, first, second)).containsExactly(first, second);
    }

    @Test
    void shouldKeepAReplicaThatIsNotWhereItsFileIs() {
        long mine = create(desktop, "mine");
        TestDesktop other = new TestDesktop(hive, "other").registered();

        assertThat(unwanted(other, mine)).isEmpty();
    }

    @Test
    void shouldNumberFilesAboveAllThatAHoneycombHolds() {
        MemoryStateStore copy = store.copy();
        hive.restart();
        desktop.register(desktop.register());
        long lost = create(desktop, "lost");

        TestHive restored = new TestHive(copy);
        TestDesktop back = new TestDesktop(restored, "desk").holding(lost).registered();
        long number = create(back, "new");

        assertThat(number).isGreaterThan(lost);
        remove(back, "new", number);
        assertThat(unwanted(back, lost, number)).containsExactly(number);
        restored.restart();
        back.register(back.register());
        assertThat(unwanted(back, lost, number)).containsExactly(number);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldNotTellACatalogThatKnowsOfChangesThatTheStateDoesNot(boolean restarted) {
        create(desktop, "known");
        MemoryStateStore copy = store.copy();
        RecordsState later = recordsAfterLaterChanges(restarted);

        TestHive restored = new TestHive(copy);
        assertThat(refusalOf(restored, later)).isEqualTo(Errno.ESTALE);
        assertThat(catalogsAhead(restored)).containsExactly("desk");
        // Also when more was made on the older state.
        TestDesktop other = new TestDesktop(restored, "other").registered();
        restored.advance(A_WHILE);
        create(other, "new");
        restored.restart();
        assertThat(refusalOf(restored, later)).isEqualTo(Errno.ESTALE);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldGiveUpWhatOnlyCatalogsKnowIfThatIsWanted(boolean restarted) {
        long known = create(desktop, "known");
        MemoryStateStore copy = store.copy();
        RecordsState later = recordsAfterLaterChanges(restarted);

        TestHive accepting = new TestHive(copy, TestConfig.acceptingAnOlderState());
        TestDesktop back = new TestDesktop(accepting, "desk");
        back.register(withRecords(back, later));
        accepting.advance(A_WHILE);
        assertThat(back.records()).containsKeys(Namespace.ROOT, known);
        assertThat(back.recordsState().getComplete()).isGreaterThan(later.getComplete());

        // Once is enough, also for catalogs that come later.
        TestHive next = new TestHive(copy);
        TestDesktop late = new TestDesktop(next, "late");
        late.register(withRecords(late, later));
        next.advance(A_WHILE);
        assertThat(late.records()).containsKey(Namespace.ROOT);
        assertThat(catalogsAhead(next)).isEmpty();
    }

    @Test
    void shouldTellCatalogsOfEarlierIncarnationsThatKnowNothingElse() {
        create(desktop, "known");
        hive.advance(A_WHILE);
        RecordsState told = desktop.recordsState();
        TestDesktop other = new TestDesktop(hive, "other").registered();
        for (int i = 0; i < 3; i++) {
            hive.restart();
            other.register(other.register());
            desktop.register(withRecords(desktop, told));
            create(other, "file" + i);
        }
        assertThat(catalogsAhead(hive)).isEmpty();
    }

    private RecordsState recordsAfterLaterChanges(boolean restarted) {
        if (restarted) {
            hive.restart();
            desktop.register(desktop.register());
        }
        for (int i = 0; i < 10; i++) {
            create(desktop, "lost" + i);
        }
        hive.advance(A_WHILE);
        return desktop.recordsState();
    }

    private static Errno refusalOf(TestHive restored, RecordsState records) {
        TestDesktop back = new TestDesktop(restored, "desk");
        return back.fails(QueenRequest.newBuilder().setRegister(withRecords(back, records)));
    }

    private static Register.Builder withRecords(TestDesktop desktop, RecordsState records) {
        Register.Builder register = desktop.register();
        register.getHoneycombBuilder().setRecords(records);
        return register;
    }

    private static List<String> catalogsAhead(TestHive restored) {
        return List.copyOf(restored.queenBee().state().olderState().refused());
    }

    @Test
    void shouldSayOnceHowManyUnknownReplicasAreKeptWhere() {
        try (LogLines log = new LogLines("org.beefs.queenbee")) {
            inventory(desktop, 77, 78);
            inventory(desktop, 79);
            assertThat(log.warnings()).isEmpty();
            inventory(desktop);
            desktop.register(desktop.register());
            inventory(desktop, 77, 78, 79);
            inventory(desktop);

            assertThat(log.warnings())
                    .singleElement()
                    .asString()
                    .contains("3 replicas of files that this queen-bee does not know are kept on desk")
                    .contains("000000000000004d.00000000");
        }
    }

    private static long create(TestDesktop desktop, String name) {
        long handle = desktop.newHandle();
        long inode = desktop.ok(Ask.create(Namespace.ROOT, name, 0644, handle))
                .getNode()
                .getAttributes()
                .getInode();
        desktop.ok(Ask.release(
                inode, handle, desktop.replica(inode, ReplicaStatus.newBuilder().setSize(1))));
        return inode;
    }

    private static void remove(TestDesktop desktop, String name, long inode) {
        desktop.ok(Ask.unlink(Namespace.ROOT, name));
        assertThat(desktop.replicas()).doesNotContainKey(inode);
    }

    /** Which of these replicas the queen-bee wants removed. */
    private static List<Long> unwanted(TestDesktop desktop, long... inodes) {
        return inventory(desktop, inodes).stream().map(ReplicaName::getInode).toList();
    }

    private static List<ReplicaName> inventory(TestDesktop desktop, long... inodes) {
        Inventory.Builder inventory = Inventory.newBuilder();
        Arrays.stream(inodes)
                .forEach(inode -> inventory.addReplicas(ReplicaName.newBuilder().setInode(inode)));
        return desktop.ok(QueenRequest.newBuilder().setInventory(inventory))
                .getDrop()
                .getReplicasList();
    }
}
