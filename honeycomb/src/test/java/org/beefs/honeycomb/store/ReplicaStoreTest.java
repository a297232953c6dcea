package org.beefs.honeycomb.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.honeycomb.store.StoreFixture.errnoOf;
import static org.beefs.honeycomb.store.Targets.EPOCH;
import static org.beefs.honeycomb.store.Targets.committed;
import static org.beefs.honeycomb.store.Targets.target;

import com.google.protobuf.ByteString;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.ReplicaTarget;
import org.beefs.common.wire.SetTimes;
import org.beefs.common.wire.Timestamp;
import org.beefs.honeycomb.memory.MemoryDisk.Operation;
import org.beefs.honeycomb.state.ReplicaId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReplicaStoreTest {
    private final StoreFixture fixture = new StoreFixture();

    @AfterEach
    void noBufferLeaks() {
        fixture.assertNothingLeaks();
    }

    @Test
    void shouldCreateTheReplicaWithTheFirstWrite() {
        assertThat(fixture.status(target(5)).getExists()).isFalse();

        ReplicaStatus status = fixture.write(target(5), 0, "honey");

        assertThat(status.getExists()).isTrue();
        assertThat(status.getSize()).isEqualTo(5);
        assertThat(fixture.read(target(5))).isEqualTo("honey");
        assertThat(fixture.disk.replicas()).containsExactly(new ReplicaId(5, 0));
    }

    @Test
    void shouldReadAnAbsentReplicaOfVersionZeroAsEmpty() {
        assertThat(fixture.read(target(5))).isEmpty();
        assertThat(errnoOf(() -> fixture.store.seek(target(5), 0, false).join()))
                .isEqualTo(Errno.ENXIO);
        assertThat(fixture.store.sync(target(5), false).join().getExists()).isFalse();
        assertThat(fixture.disk.replicas()).isEmpty();
    }

    @Test
    void shouldFailWithEioWhenACommittedReplicaIsMissing() {
        ReplicaTarget target = committed(5, 3);
        assertThat(errnoOf(() -> fixture.read(target))).isEqualTo(Errno.EIO);
        assertThat(errnoOf(() -> fixture.write(target, 0, "x"))).isEqualTo(Errno.EIO);
        assertThat(errnoOf(() -> fixture.store.truncate(target, 0).join())).isEqualTo(Errno.EIO);
        assertThat(fixture.status(target).getExists()).isFalse();
        assertThat(fixture.disk.replicas()).isEmpty();
    }

    @Test
    void shouldFailWithEioWhenTheFileOfAKnownReplicaHasVanished() {
        fixture.write(target(5), 0, "honey");
        fixture.boot = 2;
        fixture.store = fixture.store(4);
        fixture.disk.removeBehindBack(new ReplicaId(5, 0));

        assertThat(errnoOf(() -> fixture.read(target(5)))).isEqualTo(Errno.EIO);
        assertThat(errnoOf(() -> fixture.write(target(5), 0, "x"))).isEqualTo(Errno.EIO);
    }

    @Test
    void shouldRefuseOtherEpochs() {
        fixture.write(target(5), 0, "honey");
        for (long epoch : new long[] {EPOCH - 1, EPOCH + 1}) {
            ReplicaTarget other = Targets.ofEpoch(5, epoch);
            assertThat(errnoOf(() -> fixture.read(other))).isEqualTo(Errno.ESTALE);
            assertThat(errnoOf(() -> fixture.write(other, 0, "x"))).isEqualTo(Errno.ESTALE);
            assertThat(errnoOf(() -> fixture.status(other))).isEqualTo(Errno.ESTALE);
        }
        ReplicaTarget mixed = Targets.target(5, EPOCH, 0, Targets.capability(5, EPOCH - 1, true, true));
        assertThat(errnoOf(() -> fixture.read(mixed))).isEqualTo(Errno.ESTALE);
    }

    @Test
    void shouldRefuseRequestsWithoutFittingCapability() {
        fixture.write(target(5), 0, "honey");
        ReplicaTarget none = Targets.target(5, EPOCH, 0, ByteString.EMPTY);
        ReplicaTarget garbage = Targets.target(5, EPOCH, 0, ByteString.copyFromUtf8("\u0007\u0007"));
        ReplicaTarget otherFile = Targets.target(5, EPOCH, 0, Targets.capability(6, EPOCH, true, true));

        for (ReplicaTarget target : List.of(none, garbage, otherFile)) {
            assertThat(errnoOf(() -> fixture.read(target))).isEqualTo(Errno.EACCES);
            assertThat(errnoOf(() -> fixture.write(target, 0, "x"))).isEqualTo(Errno.EACCES);
            assertThat(errnoOf(() -> fixture.status(target))).isEqualTo(Errno.EACCES);
            assertThat(errnoOf(() -> fixture.store.sync(target, false).join())).isEqualTo(Errno.EACCES);
        }
    }

    @Test
    void shouldRefuseWhatTheCapabilityDoesNotGrant() {
        fixture.write(target(5), 0, "honey");
        assertThat(errnoOf(() -> fixture.write(Targets.readOnly(5), 0, "x"))).isEqualTo(Errno.EACCES);
        assertThat(errnoOf(() -> fixture.store.truncate(Targets.readOnly(5), 0).join()))
                .isEqualTo(Errno.EACCES);
        assertThat(errnoOf(() -> fixture.read(Targets.writeOnly(5)))).isEqualTo(Errno.EACCES);
        assertThat(fixture.read(Targets.readOnly(5))).isEqualTo("honey");
        assertThat(fixture.status(Targets.writeOnly(5)).getSize()).isEqualTo(5);
    }

    @Test
    void shouldShowTheStatusToWhoeverMayNeitherReadNorWrite() {
        fixture.write(target(5), 0, "honey");
        ReplicaTarget nothing = Targets.target(5, EPOCH, 0, Targets.capability(5, EPOCH, false, false));

        assertThat(fixture.status(nothing).getSize()).isEqualTo(5);
        assertThat(errnoOf(() -> fixture.read(nothing))).isEqualTo(Errno.EACCES);
        assertThat(errnoOf(() -> fixture.store.sync(nothing, false).join())).isEqualTo(Errno.EACCES);
    }

    @Test
    void shouldAppendAtTheEndWhateverTheOffset() {
        fixture.append(target(5), "one ");
        ReplicaStatus status = fixture.append(target(5), "two");
        assertThat(fixture.read(target(5))).isEqualTo("one two");
        assertThat(status.getSize()).isEqualTo(7);
    }

    @Test
    void shouldTruncateAndExtend() {
        fixture.write(target(5), 0, "honey");
        Timestamp before = fixture.status(target(5)).getMtime();

        assertThat(fixture.store.truncate(target(5), 5).join().getMtime()).isNotEqualTo(before);
        assertThat(fixture.store.truncate(target(5), 2).join().getSize()).isEqualTo(2);
        fixture.store.truncate(target(5), 4).join();
        assertThat(fixture.read(target(5))).isEqualTo("ho\0\0");
        assertThat(fixture.store.truncate(target(6), 0).join().getExists()).isTrue();
    }

    @Test
    void shouldReadHolesAsZerosAndFindThem() {
        fixture.write(target(5), 8192, "data");
        assertThat(fixture.read(target(5), 8190, 100)).isEqualTo("\0\0data");
        assertThat(fixture.store.seek(target(5), 0, false).join()).isEqualTo(8192);
        assertThat(fixture.store.seek(target(5), 0, true).join()).isZero();
        assertThat(errnoOf(() -> fixture.store.seek(target(5), 9000, true).join()))
                .isEqualTo(Errno.ENXIO);
    }

    @Test
    void shouldWriteContentThatLiesOnTheHeapOrInPieces() {
        ByteBuf heap = Unpooled.wrappedBuffer("he".getBytes(StandardCharsets.UTF_8));
        ByteBuf pieces = Unpooled.wrappedBuffer(
                Unpooled.directBuffer().writeBytes("a".getBytes(StandardCharsets.UTF_8)),
                Unpooled.directBuffer().writeBytes("p".getBytes(StandardCharsets.UTF_8)));
        fixture.store.write(target(5), 0, false, heap).join();
        fixture.store.write(target(5), 2, false, pieces).join();
        heap.release();
        pieces.release();
        assertThat(fixture.read(target(5))).isEqualTo("heap");
    }

    @Test
    void shouldSetTimes() {
        SetTimes times = SetTimes.newBuilder()
                .setMtime(Timestamp.newBuilder().setSeconds(-5).setNanos(7))
                .build();
        assertThat(fixture.store.setTimes(target(5), times).join().getExists()).isFalse();

        ReplicaStatus before = fixture.write(target(5), 0, "honey");
        ReplicaStatus after = fixture.store.setTimes(target(5), times).join();

        assertThat(after.getMtime()).isEqualTo(times.getMtime());
        assertThat(after.getAtime()).isEqualTo(before.getAtime());
    }

    @Test
    void shouldPunchHolesAndRefuseOtherModesOfFallocate() {
        fixture.write(target(5), 0, new byte[3 * 4096]);
        ReplicaStatus punched =
                fixture.store.allocate(target(5), 0x03, 4096, 4096).join();
        assertThat(punched.getBlocks()).isEqualTo(16);
        assertThat(fixture.store.allocate(target(5), 0, 0, 5 * 4096).join().getSize())
                .isEqualTo(5 * 4096);
        assertThat(errnoOf(
                        () -> fixture.store.allocate(target(5), 0x08, 0, 4096).join()))
                .isEqualTo(Errno.EOPNOTSUPP);
    }

    @Test
    void shouldRefuseSizesThatNoFileHas() {
        assertThat(errnoOf(() -> fixture.write(target(5), Long.MAX_VALUE, "x"))).isEqualTo(Errno.EFBIG);
        assertThat(errnoOf(() -> fixture.write(target(5), -1, "x"))).isEqualTo(Errno.EINVAL);
        assertThat(errnoOf(() -> fixture.store.read(target(5), 0, 0).join())).isEqualTo(Errno.EINVAL);
        assertThat(errnoOf(() -> fixture.store.read(target(5), 0, (1 << 20) + 1).join()))
                .isEqualTo(Errno.EINVAL);
    }

    @Test
    void shouldReportTheDisksFailures() {
        fixture.write(target(5), 0, "honey");
        for (Errno errno : List.of(Errno.EIO, Errno.ENOSPC, Errno.EDQUOT, Errno.EROFS)) {
            fixture.disk.setFaults(operation -> operation == Operation.WRITE ? errno : null);
            assertThat(errnoOf(() -> fixture.write(target(5), 0, "x"))).isEqualTo(errno);
        }
        fixture.disk.setFaults(operation -> operation == Operation.READ ? Errno.EIO : null);
        assertThat(errnoOf(() -> fixture.read(target(5)))).isEqualTo(Errno.EIO);
        fixture.disk.setFaults(operation -> operation == Operation.CREATE ? Errno.EMFILE : null);
        assertThat(errnoOf(() -> fixture.write(target(6), 0, "x"))).isEqualTo(Errno.EMFILE);
        fixture.disk.setFaults(operation -> null);
        assertThat(fixture.read(target(5))).isEqualTo("honey");
    }

    @Test
    void shouldNotTrustContentAfterAFailedSync() {
        fixture.write(target(5), 0, "honey");
        fixture.disk.setFaults(operation -> operation == Operation.SYNC ? Errno.EIO : null);
        assertThat(errnoOf(() -> fixture.store.sync(target(5), false).join())).isEqualTo(Errno.EIO);
        fixture.disk.setFaults(operation -> null);
        assertThat(errnoOf(() -> fixture.store.sync(target(5), false).join())).isEqualTo(Errno.EIO);
    }

    @Test
    void shouldKeepWhatWasSyncedThroughALossOfPower() {
        fixture.write(target(5), 0, "synced");
        fixture.store.sync(target(5), true).join();
        fixture.write(target(5), 0, "later!");
        fixture.write(target(6), 0, "never synced");

        fixture.disk.losePower();
        fixture.restart();

        assertThat(fixture.read(target(5))).isEqualTo("synced");
        assertThat(fixture.disk.replicas()).containsExactly(new ReplicaId(5, 0));
    }

    @Test
    void shouldKeepMoreReplicasThanItHoldsOpen() {
        for (int inode = 1; inode <= 50; inode++) {
            fixture.write(target(inode), 0, "file " + inode);
        }
        for (int inode = 1; inode <= 50; inode++) {
            assertThat(fixture.read(target(inode))).isEqualTo("file " + inode);
        }
    }

    @Test
    void shouldRefuseWorkAfterItsEnd() {
        fixture.write(target(5), 0, "honey");
        CompletableFuture<Void> quiet = fixture.store.close();
        assertThat(quiet).isCompleted();
        assertThat(errnoOf(() -> fixture.read(target(5)))).isEqualTo(Errno.ENOTCONN);
    }
}
