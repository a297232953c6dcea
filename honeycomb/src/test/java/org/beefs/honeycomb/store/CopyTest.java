package org.beefs.honeycomb.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.honeycomb.store.StoreFixture.MIB;
import static org.beefs.honeycomb.store.StoreFixture.errnoOf;
import static org.beefs.honeycomb.store.Targets.readOnly;
import static org.beefs.honeycomb.store.Targets.target;
import static org.beefs.honeycomb.store.Targets.writeOnly;

import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.replica.ReplicaAccess.Copied;
import org.beefs.common.wire.ReplicaTarget;
import org.junit.jupiter.api.Test;

/** Content that is copied inside of the honeycomb. */
class CopyTest {
    private final StoreFixture hive = new StoreFixture();

    @Test
    void shouldCopyBetweenReplicas() {
        hive.write(target(1), 0, "0123456789");
        hive.write(target(2), 0, "abcdefghij");

        Copied copied = copy(readOnly(1), 2, writeOnly(2), 5, 3);

        assertThat(copied.bytes()).isEqualTo(3);
        assertThat(copied.status())
                .isEqualTo(hive.status(target(2)).toBuilder()
                        .setObservation(copied.status().getObservation())
                        .build());
        assertThat(hive.read(target(2))).isEqualTo("abcde234ij");
    }

    @Test
    void shouldMakeTheTargetAndStopAtTheEndOfTheSource() {
        hive.write(target(1), 0, "0123456789");
        assertThat(copy(target(1), 7, target(2), 0, 100).bytes()).isEqualTo(3);
        assertThat(hive.read(target(2))).isEqualTo("789");
        assertThat(copy(target(1), 10, target(2), 0, 100).bytes()).isZero();
        assertThat(copy(target(3), 0, target(2), 0, 100).bytes())
                .as("of what was never written")
                .isZero();
    }

    @Test
    void shouldCopyInsideOfOneReplicaInEitherOrder() {
        hive.write(target(1), 0, "0123456789");
        hive.write(target(2), 0, "x");
        assertThat(copy(target(1), 0, target(1), 20, 10).bytes()).isEqualTo(10);
        assertThat(hive.read(target(1), 20, 10)).isEqualTo("0123456789");
        assertThat(copy(target(2), 0, target(1), 0, 1).bytes()).isEqualTo(1);
        assertThat(hive.read(target(1), 0, 3)).isEqualTo("x12");
    }

    @Test
    void shouldNeedBothRightsAndRoom() {
        hive.write(target(1), 0, new byte[(int) MIB]);
        assertThat(errnoOf(() -> copy(writeOnly(1), 0, target(2), 0, 1))).isEqualTo(Errno.EACCES);
        assertThat(errnoOf(() -> copy(target(1), 0, readOnly(2), 0, 1))).isEqualTo(Errno.EACCES);
        assertThat(errnoOf(() -> copy(target(1), 0, target(2), 0, 17 * MIB))).isEqualTo(Errno.EINVAL);
        for (long inode = 10; inode < 10 + hive.capacity / MIB - 2; inode++) {
            copy(target(1), 0, target(inode), 0, MIB);
        }
        copy(target(1), 0, target(2), 0, MIB / 2);
        assertThat(errnoOf(() -> copy(target(1), 0, target(3), 0, MIB))).isEqualTo(Errno.ENOSPC);
    }

    private Copied copy(ReplicaTarget source, long from, ReplicaTarget to, long offset, long length) {
        CompletableFuture<Copied> copied = hive.store.copy(source, from, to, offset, length);
        return copied.join();
    }
}
