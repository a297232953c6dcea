package org.beefs.queenbee.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.beefs.common.log.LogLines;
import org.beefs.common.wire.Record;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.queenbee.journal.StateException;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.state.CatalogHive;
import org.beefs.queenbee.state.CatalogInode;
import org.beefs.queenbee.state.InodeRecord;
import org.beefs.queenbee.state.SecuredRecord;
import org.beefs.queenbee.state.TombstoneRecord;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.ListedRecords;
import org.beefs.queenbee.testing.ManualTime;
import org.beefs.queenbee.testing.MemoryStateStore;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Catalogs with what no queen-bee has told them. */
class ImpossibleRecordsTest {
    private static final Duration SETTLING = Duration.ofSeconds(20);

    private final TestHive hive = new TestHive();
    private final TestDesktop desktop = new TestDesktop(hive, "one").registered();
    private final MemoryStateStore fresh = new MemoryStateStore();

    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE, -1, 100_000L << 40})
    void shouldBeLeftOut(long impossible) throws IOException {
        desktop.ok(Ask.mkdir(Namespace.ROOT, "kept", 0755));
        hive.advance(SETTLING);
        Record root = record(Namespace.ROOT);
        List<Record> lies = List.of(
                root.toBuilder().setSequence(impossible).clearContent().build(),
                root.toBuilder().setInode(impossible).build());

        try (LogLines log = new LogLines(RecoveryProgress.class.getName())) {
            recover(lies, impossible);

            assertThat(log.warnings())
                    .hasSize(2)
                    .allMatch(line -> line.contains(" in liar is left out"))
                    .anyMatch(line -> line.contains(Long.toHexString(impossible)));
        }
        TestHive recovered = new TestHive(fresh);
        assertThat(recovered.names(Namespace.ROOT)).containsOnlyKeys("kept");
        recovered.restart();
        assertThat(recovered.queenBee().state().incarnation()).isLessThan(100);
    }

    @Test
    void shouldBeNamedWhereTheyAreOfTheHive() throws IOException {
        hive.advance(SETTLING);
        Record known = record(0);
        CatalogHive lie = CatalogHive.parseFrom(known.getContent()).toBuilder()
                .setIncarnation((1L << 23) - 1)
                .build();
        Record told = known.toBuilder()
                .setSequence(known.getSequence() + 1)
                .setContent(lie.toByteString())
                .build();

        assertThatThrownBy(() -> recover(List.of(told), 0))
                .isInstanceOf(StateException.class)
                .hasMessageStartingWith("liar has a record of the hive that no queen-bee can have written");
    }

    /** Its honeycomb got its number after a copy of the state that was put back. */
    @Test
    void shouldLeaveOutAFileThatIsOnlyWhereNobodyIsKnown() throws IOException {
        long file = file();
        tell(file, inode -> inode.setHoneycomb(6));

        try (LogLines log = new LogLines(RecoveryProgress.class.getName())) {
            assertThat(recover().lines())
                    .contains(
                            "1 files are left out, as their newest content is only on desktops that the hive does not have: \"f\" (inode %x)"
                                    .formatted(file));

            assertThat(log.warnings())
                    .singleElement()
                    .asString()
                    .contains(Long.toHexString(file), "a honeycomb that the hive does not have", "is left out");
        }
        assertThat(new TestHive(fresh).names(Namespace.ROOT)).isEmpty();
    }

    @Test
    void shouldKeepAFileThatIsElsewhereToo() throws IOException {
        long file = file();
        tell(file, inode -> inode.addSecondaries(6).addSecondaries(0));

        recover();

        Inode found = find(new TestHive(fresh), file);
        assertThat(found.replicas()).containsExactly(1);
        assertThat(found.moving()).isFalse();
    }

    @Test
    void shouldMoveAPrimaryToASecondary() throws IOException {
        long file = file();
        tell(file, inode -> inode.setHoneycomb(6).addSecondaries(1).addSecondaries(0));
        long epoch =
                CatalogInode.parseFrom(record(file).getContent()).getInode().getEpoch();

        recover();

        Inode found = find(new TestHive(fresh), file);
        assertThat(found.replicas()).containsExactly(1);
        assertThat(found.moving()).isTrue();
        assertThat(found.epoch()).isGreaterThan(epoch);
    }

    /** Nothing of it is there or elsewhere. */
    @Test
    void shouldKeepAnEmptyFileWhereverItWas() throws IOException {
        long file = file();
        tell(
                file,
                inode -> inode.setHoneycomb(6)
                        .setVersion(0)
                        .setSize(0)
                        .setBlocks(0)
                        .setDirty(false));

        assertThat(recover().elsewhere()).isZero();

        Inode found = find(new TestHive(fresh), file);
        assertThat(found.isBlank()).isTrue();
        assertThat(found.replicas()).containsExactly(1);
    }

    /** The newest version is where nobody is known; the promised copies of an older one are not. */
    @Test
    void shouldGoBackToTheVersionThatWasSecured() throws IOException {
        long file = file();
        tell(
                file,
                inode -> inode.setSecured(SecuredRecord.newBuilder()
                                .setVersion(inode.getVersion())
                                .setSize(inode.getSize())
                                .setBlocks(inode.getBlocks())
                                .setMtime(inode.getMtime())
                                .setCommittedMtime(inode.getCommittedMtime()))
                        .setHoneycomb(6)
                        .setVersion(inode.getVersion() + 2)
                        .setSize(100)
                        .addSecondaries(1)
                        .addSecondaries(2));

        assertThat(recover().elsewhere()).isZero();

        Inode found = find(new TestHive(fresh), file);
        assertThat(found.replicas()).containsExactly(1);
        assertThat(found.size()).isEqualTo(10);
        assertThat(found.moving()).isTrue();
    }

    @Test
    void shouldNotWaitForOneThatIsNotKnownToHearOfAnEnd() throws IOException {
        long file = file();
        Record removed = record(file).toBuilder()
                .setRemoved(true)
                .setContent(TombstoneRecord.newBuilder()
                        .addHolders(6)
                        .addKeepers(7)
                        .build()
                        .toByteString())
                .build();
        desktop.records().put(file, removed);

        recover();

        assertThat(new TestHive(fresh).names(Namespace.ROOT)).isEmpty();
    }

    private static Inode find(TestHive hive, long file) {
        return Objects.requireNonNull(hive.queenBee().state().namespace().find(file));
    }

    private long file() {
        long handle = desktop.newHandle();
        long file = desktop.ok(Ask.create(Namespace.ROOT, "f", 0644, handle))
                .getNode()
                .getAttributes()
                .getInode();
        ReplicaStatus status =
                desktop.replica(file, ReplicaStatus.newBuilder().setSize(10).setObservation(1));
        desktop.ok(Ask.release(file, handle, status));
        hive.advance(SETTLING);
        return file;
    }

    /** Lets the catalog have something else of a file. */
    private void tell(long file, Consumer<InodeRecord.Builder> change) throws IOException {
        CatalogInode.Builder content = CatalogInode.parseFrom(record(file).getContent()).toBuilder();
        change.accept(content.getInodeBuilder());
        desktop.records()
                .put(
                        file,
                        record(file).toBuilder()
                                .setContent(content.build().toByteString())
                                .build());
    }

    private RecoveryReport recover() throws IOException {
        return HiveRecovery.run(fresh, new ManualTime(), List.of(ListedRecords.of(desktop)), 0);
    }

    private Record record(long inode) {
        return Objects.requireNonNull(desktop.records().get(inode));
    }

    /** Of the desktop's catalog, and that of a liar. */
    private void recover(List<Record> lies, long complete) throws IOException {
        ListedRecords liar = new ListedRecords(
                "liar",
                TestDesktop.uuid("liar"),
                desktop.recordsState().toBuilder().setComplete(complete).build(),
                lies);
        HiveRecovery.run(fresh, new ManualTime(), List.of(ListedRecords.of(desktop), liar), 0);
    }
}
