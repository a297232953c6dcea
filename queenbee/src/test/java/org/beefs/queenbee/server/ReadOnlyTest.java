package org.beefs.queenbee.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.Access;
import org.beefs.common.wire.ChangeReplication;
import org.beefs.common.wire.CheckEntries;
import org.beefs.common.wire.CheckInodes;
import org.beefs.common.wire.CheckReplicas;
import org.beefs.common.wire.CreateUnnamed;
import org.beefs.common.wire.DeclareLost;
import org.beefs.common.wire.Drain;
import org.beefs.common.wire.Eject;
import org.beefs.common.wire.ExplainWaits;
import org.beefs.common.wire.FileSystemStatus;
import org.beefs.common.wire.Goodbye;
import org.beefs.common.wire.Heartbeat;
import org.beefs.common.wire.HiveStatus;
import org.beefs.common.wire.Inventory;
import org.beefs.common.wire.ListXattrs;
import org.beefs.common.wire.LockMode;
import org.beefs.common.wire.MakeRoom;
import org.beefs.common.wire.OpenFile;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.QueenRequest.OperationCase;
import org.beefs.common.wire.ReadSymbolicLink;
import org.beefs.common.wire.Record;
import org.beefs.common.wire.RecordAccesses;
import org.beefs.common.wire.Registered;
import org.beefs.common.wire.ReplicaName;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.SecureContent;
import org.beefs.common.wire.Timestamp;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.Dump;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A hive in which nothing may be changed: it can be read, and neither requests nor time change anything. */
class ReadOnlyTest {
    private static final long ROOT = Namespace.ROOT;
    private static final Duration LONGER_THAN_GRACE = Duration.ofHours(30);

    private final TestHive hive = new TestHive();
    private final Map<OperationCase, QueenRequest.Builder> changes = new EnumMap<>(OperationCase.class);
    private final Map<OperationCase, QueenRequest.Builder> looks = new EnumMap<>(OperationCase.class);
    private TestDesktop desktop;
    private long file;
    private long dirty;
    private long handle;
    private List<String> before;
    private Map<Long, Record> records;

    @BeforeEach
    void makeAHiveAndLetNothingBeChanged() {
        TestDesktop author = new TestDesktop(hive, "desk").registered();
        new TestDesktop(hive, "other").registered();
        file = inode(author.ok(Ask.create(ROOT, "file", 0644, 1)));
        ReplicaStatus status =
                author.replica(file, ReplicaStatus.newBuilder().setSize(10).setObservation(1));
        author.ok(Ask.release(file, 1, status));
        author.ok(Ask.setXattr(file, "user.note", "kept"));
        dirty = inode(author.ok(Ask.create(ROOT, "dirty", 0644, 2)));
        long directory = inode(author.ok(Ask.mkdir(ROOT, "directory", 0755)));
        long link = inode(author.ok(Ask.symlink(ROOT, "link", "file")));
        hive.advance(Duration.ofSeconds(1));
        author.ok(Ask.sync());
        hive.restartReadOnly();
        desktop = new TestDesktop(hive, "desk", 2, 2);
        before = namespace();
        desktop.register(desktop.register()
                .addOpenFiles(OpenFile.newBuilder().setInode(dirty).setHandle(2).setWrite(true)));
        hive.advance(Duration.ofSeconds(5)); // others might have changed something before the restart
        handle = 100;
        desktop.ok(Ask.open(file, handle, true, false));
        records = new TreeMap<>(desktop.records());
        nameRequests(directory, link);
    }

    /** One of each kind: those that would change something, and those that only look. */
    private void nameRequests(long directory, long link) {
        add(changes, Ask.create(ROOT, "new", 0644, 50));
        add(changes, Ask.mknod(ROOT, "node", 0100644));
        add(changes, Ask.mkdir(ROOT, "made", 0755));
        add(changes, Ask.symlink(ROOT, "soft", "file"));
        add(changes, Ask.link(file, ROOT, "hard"));
        add(changes, Ask.unlink(ROOT, "file"));
        add(changes, Ask.rmdir(ROOT, "directory"));
        add(changes, Ask.rename(ROOT, "file", ROOT, "renamed"));
        add(changes, Ask.chmod(file, 0600));
        add(changes, Ask.setXattr(file, "beefs.replication.replicas", "2"));
        add(changes, Ask.removeXattr(file, "user.note"));
        add(changes, Ask.open(dirty, 51, false, true));
        add(changes, Ask.access(file, 2));
        add(changes, Ask.set(Ask.lock(file, 1, LockMode.EXCLUSIVE, 0, 9)));
        add(
                changes,
                QueenRequest.newBuilder()
                        .setCreateUnnamed(
                                CreateUnnamed.newBuilder().setParent(ROOT).setHandle(52)));
        add(
                changes,
                QueenRequest.newBuilder()
                        .setRecordAccesses(RecordAccesses.newBuilder()
                                .addAccesses(Access.newBuilder()
                                        .setInode(file)
                                        .setTime(Timestamp.newBuilder().setSeconds(5)))));
        add(
                changes,
                QueenRequest.newBuilder()
                        .setDeclareLost(DeclareLost.newBuilder().setDesktop("other")));
        add(changes, Ask.forget("other"));
        add(changes, QueenRequest.newBuilder().setDrain(Drain.newBuilder().setDesktop("other")));
        add(
                changes,
                QueenRequest.newBuilder()
                        .setChangeReplication(ChangeReplication.newBuilder()
                                .setInode(file)
                                .setName(Ask.bytes("beefs.replicas"))
                                .setValue(Ask.bytes("2"))));
        add(changes, QueenRequest.newBuilder().setMakeRoom(MakeRoom.newBuilder().setInode(file)));
        add(
                changes,
                QueenRequest.newBuilder()
                        .setCheckInodes(CheckInodes.newBuilder().setRepair(true)));
        add(
                changes,
                QueenRequest.newBuilder()
                        .setCheckEntries(
                                CheckEntries.newBuilder().setDirectory(ROOT).setRepair(true)));
        add(
                changes,
                QueenRequest.newBuilder()
                        .setCheckReplicas(CheckReplicas.newBuilder()
                                .setHoneycomb(TestDesktop.uuid("desk"))
                                .setRepair(true)));

        add(looks, QueenRequest.newBuilder().setRegister(desktop.register()));
        add(looks, QueenRequest.newBuilder().setHeartbeat(Heartbeat.newBuilder().setSpace(desktop.space())));
        add(looks, QueenRequest.newBuilder().setGoodbye(Goodbye.getDefaultInstance()));
        add(
                looks,
                QueenRequest.newBuilder()
                        .setInventory(Inventory.newBuilder()
                                .addReplicas(
                                        ReplicaName.newBuilder().setInode(file).setEpoch(1))
                                .addReplicas(
                                        ReplicaName.newBuilder().setInode(9999).setEpoch(1))));
        add(looks, QueenRequest.newBuilder().setEject(Eject.newBuilder().setDesktop("other")));
        add(looks, QueenRequest.newBuilder().setHiveStatus(HiveStatus.getDefaultInstance()));
        add(looks, Ask.lookup(ROOT, "file"));
        add(looks, Ask.attributes(file));
        add(
                looks,
                QueenRequest.newBuilder()
                        .setReadSymbolicLink(ReadSymbolicLink.newBuilder().setInode(link)));
        add(looks, Ask.list(ROOT, 0, 100));
        add(looks, QueenRequest.newBuilder().setFileSystemStatus(FileSystemStatus.getDefaultInstance()));
        add(looks, Ask.getXattr(file, "user.note"));
        add(
                looks,
                QueenRequest.newBuilder().setListXattrs(ListXattrs.newBuilder().setInode(file)));
        add(looks, Ask.find(Ask.lock(file, 1, LockMode.SHARED, 0, 9)));
        add(
                looks,
                QueenRequest.newBuilder()
                        .setExplainWaits(ExplainWaits.newBuilder().addRequests(1)));
        add(looks, Ask.release(file, handle));
        add(looks, Ask.sync());
        add(
                looks,
                QueenRequest.newBuilder()
                        .setSecureContent(SecureContent.newBuilder().setInode(file)));
        assertThat(directory).isPositive();
    }

    private static void add(Map<OperationCase, QueenRequest.Builder> to, QueenRequest.Builder request) {
        to.put(request.getOperationCase(), request);
    }

    private static long inode(QueenReply reply) {
        return reply.getNode().getAttributes().getInode();
    }

    /** Sessions come and go, and honeycombs are known by how often they were started; the rest stays. */
    private List<String> namespace() {
        return Dump.of(hive.queenBee().state()).stream()
                .filter(line -> !line.matches("(?s)(session|  answer|honeycomb).*"))
                .toList();
    }

    private void assertUnchanged() {
        assertThat(namespace()).isEqualTo(before);
        assertThat(desktop.received()).isEmpty();
        assertThat(desktop.records()).isEqualTo(records);
        assertThat(hive.fatal()).isEmpty();
    }

    @Test
    void shouldHaveAnExampleOfEachRequest() {
        Set<OperationCase> known = EnumSet.copyOf(changes.keySet());
        known.addAll(looks.keySet());
        assertThat(known)
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(OperationCase.values())
                        .filter(kind -> kind != OperationCase.OPERATION_NOT_SET)
                        .toList());
    }

    @ParameterizedTest
    @EnumSource(OperationCase.class)
    void shouldRefuseWhatChangesSomething(OperationCase kind) {
        QueenRequest.Builder request = changes.get(kind);
        if (request != null) {
            assertThat(desktop.fails(request)).isEqualTo(Errno.EROFS);
        }
        assertUnchanged();
    }

    @ParameterizedTest
    @EnumSource(OperationCase.class)
    void shouldAnswerWhatOnlyLooks(OperationCase kind) {
        QueenRequest.Builder request = looks.get(kind);
        if (request != null) {
            desktop.ok(request);
        }
        hive.advance(Duration.ofMinutes(2));
        assertUnchanged();
    }

    @Test
    void shouldOpenToReadAsEver() {
        QueenRequest.Builder create = Ask.create(ROOT, "file", 0644, 60);
        create.getCreateBuilder().setWrite(false);
        desktop.ok(create);
        QueenRequest.Builder fresh = Ask.create(ROOT, "fresh", 0644, 61);
        fresh.getCreateBuilder().setWrite(false);
        assertThat(desktop.fails(fresh)).isEqualTo(Errno.EROFS);
        desktop.ok(Ask.open(file, 62, true, false));
        desktop.ok(Ask.access(file, 4));
        desktop.ok(Ask.set(Ask.lock(file, 1, LockMode.UNLOCKED, 0, 9)));
        assertUnchanged();
    }

    /** Neither a desktop that is away, nor one that comes with other replicas, changes anything. */
    @Test
    void shouldDoNothingByItself() {
        hive.advance(LONGER_THAN_GRACE);
        TestDesktop again = new TestDesktop(hive, "other", 3, 3);
        again.replica(file, ReplicaStatus.newBuilder().setSize(99).setObservation(9));
        again.registered();
        again.ok(QueenRequest.newBuilder()
                .setInventory(Inventory.newBuilder()
                        .addReplicas(ReplicaName.newBuilder().setInode(file).setEpoch(1))));
        again.ok(QueenRequest.newBuilder().setInventory(Inventory.getDefaultInstance()));
        hive.advance(LONGER_THAN_GRACE);
        assertThat(again.received()).isEmpty();
        assertThat(again.records()).isEmpty();
        assertUnchanged();
    }

    /** What a program has written is found when the hive may be changed again. */
    @Test
    void shouldLetNobodyWriteAndDeclareNothingLost() {
        Registered registered = desktop.register(desktop.register()
                .addAllOpenFiles(Stream.of(dirty, 4711L)
                        .map(number -> OpenFile.newBuilder()
                                .setInode(number)
                                .setHandle(number)
                                .setWrite(true)
                                .build())
                        .toList()));
        assertThat(registered.getFenceMillis()).isZero();
        assertThat(registered.getLostHandlesList()).isEmpty();
        assertThat(registered.getLostReplicasList()).isEmpty();
        desktop.ok(
                Ask.release(dirty, dirty, ReplicaStatus.newBuilder().setSize(7).build()));
        hive.advance(Duration.ofMinutes(2));
        assertUnchanged();
    }
}
