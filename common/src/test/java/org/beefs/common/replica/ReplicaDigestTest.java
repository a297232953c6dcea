package org.beefs.common.replica;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.beefs.common.wire.InventoryRange;
import org.beefs.common.wire.ReplicaName;
import org.junit.jupiter.api.Test;

class ReplicaDigestTest {
    private static final ReplicaName REPLICA = ReplicaName.newBuilder()
            .setInode(1L << 40)
            .setGeneration(1)
            .setEpoch(5)
            .setVersion(7)
            .build();
    private static final ReplicaName ANOTHER =
            ReplicaName.newBuilder().setInode(2).setVersion(1).build();

    @Test
    void shouldNotDependOnTheOrder() {
        assertThat(digest(ANOTHER, REPLICA).matches(told(REPLICA, ANOTHER))).isTrue();
    }

    @Test
    void shouldDependOnAllThatIsSaidOfAReplica() {
        List<ReplicaName> others = List.of(
                REPLICA.toBuilder().setInode(1L << 41).build(),
                REPLICA.toBuilder().setGeneration(2).build(),
                REPLICA.toBuilder().setEpoch(6).build(),
                REPLICA.toBuilder().setVersion(8).build(),
                REPLICA.toBuilder().setSecondary(true).build());
        assertThat(others).noneMatch(other -> digest(other, ANOTHER).matches(told(REPLICA, ANOTHER)));
    }

    @Test
    void shouldDependOnHowManyThereAre() {
        assertThat(digest(REPLICA).matches(told(REPLICA, ANOTHER))).isFalse();
        assertThat(digest().matches(told(REPLICA))).isFalse();
        assertThat(digest().matches(told())).isTrue();
    }

    @Test
    void shouldNotLetTwoVersionsTakeEachOthersPlace() {
        ReplicaName newer = REPLICA.toBuilder().setVersion(1).build();
        ReplicaName older = ANOTHER.toBuilder().setVersion(7).build();
        assertThat(digest(newer, older).matches(told(REPLICA, ANOTHER))).isFalse();
    }

    private static ReplicaDigest digest(ReplicaName... replicas) {
        ReplicaDigest digest = new ReplicaDigest();
        List.of(replicas).forEach(digest::add);
        return digest;
    }

    private static InventoryRange told(ReplicaName... replicas) {
        InventoryRange.Builder range = InventoryRange.newBuilder();
        digest(replicas).tell(range);
        return range.build();
    }
}
