package org.beefs.honeycomb.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.honeycomb.store.Targets.target;

import java.util.List;
import java.util.stream.IntStream;
import org.beefs.honeycomb.memory.MemoryDisk.Operation;
import org.beefs.honeycomb.state.ReplicaId;
import org.junit.jupiter.api.Test;

class OpenReplicasTest {
    private static final int BOUND = 3;

    private final StoreFixture fixture = new StoreFixture();
    private final OpenReplicas open;
    private int opened;

    OpenReplicasTest() {
        for (int inode = 1; inode <= 9; inode++) {
            fixture.write(target(inode), 0, "honey");
        }
        open = new OpenReplicas(
                fixture.files,
                fixture.catalog,
                BOUND,
                new Doubts(fixture.catalog.scrub(), new Rot(fixture.catalog), new CheckQueue(), fixture.buffers));
        fixture.disk.setFaults(operation -> {
            opened += operation == Operation.OPEN ? 1 : 0;
            return null;
        });
    }

    private Replica begin(int inode) {
        return open.use(new ReplicaId(inode, 0)).replica();
    }

    private void use(int inode) {
        open.use(new ReplicaId(inode, 0)).close();
    }

    @Test
    void shouldKeepTheFilesOpenThatWereUsedLast() {
        IntStream.of(1, 2, 3, 1, 4).forEach(this::use);
        assertThat(opened).isEqualTo(4);
        IntStream.of(1, 3, 4).forEach(this::use);
        assertThat(opened).isEqualTo(4);
        use(2);
        assertThat(opened).isEqualTo(5);
    }

    @Test
    void shouldNotLookOnTheDiskForReplicasOfNewerFilesThanWereEverHere() {
        assertThat(begin(10).exists()).isFalse();
        assertThat(opened).isZero();

        fixture.write(target(12), 0, "more honey");
        assertThat(begin(12).exists()).isTrue();
        assertThat(begin(11).exists()).isFalse();
        assertThat(opened).isEqualTo(2);
    }

    @Test
    void shouldKeepFilesOpenThatNobodyUsesWhileManyAreInUse() {
        List<Replica> inUse =
                IntStream.rangeClosed(1, 2 * BOUND).mapToObj(this::begin).toList();
        use(9);
        use(9);
        assertThat(opened).isEqualTo(2 * BOUND + 1);
        inUse.forEach(open::leave);
    }

    @Test
    void shouldUseOneFileForAllUsersOfAReplica() {
        Replica first = begin(1);
        assertThat(begin(1)).isSameAs(first);
        open.leave(first);
        assertThat(begin(1)).isSameAs(first);
        assertThat(opened).isOne();
    }

    @Test
    void shouldFindAReplicaAnewThatWasForgotten() {
        Replica removed = begin(1);
        open.forget(removed);
        assertThat(begin(1)).isNotSameAs(removed);
        open.leave(removed);
        assertThat(opened).isEqualTo(2);
    }

    @Test
    void shouldBeClosedWhenTheLastUseEnds() {
        use(1);
        Replica replica = begin(2);
        assertThat(open.close()).isNotDone();
        open.leave(replica);
        assertThat(open.close()).isDone();
    }
}
