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
        open = new OpenReplicas(fixture.files, BOUND);
        fixture.disk.setFaults(operation -> {
            opened += operation == Operation.OPEN ? 1 : 0;
            return null;
        });
    }

    private Replica pin(int inode) {
        return open.pin(new ReplicaId(inode, 0));
    }

    private void use(int inode) {
        open.unpin(pin(inode));
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
    void shouldKeepFilesOpenThatNobodyUsesWhileManyAreInUse() {
        List<Replica> inUse =
                IntStream.rangeClosed(1, 2 * BOUND).mapToObj(this::pin).toList();
        use(9);
        use(9);
        assertThat(opened).isEqualTo(2 * BOUND + 1);
        inUse.forEach(open::unpin);
    }

    @Test
    void shouldUseOneFileForAllUsersOfAReplica() {
        Replica first = pin(1);
        assertThat(pin(1)).isSameAs(first);
        open.unpin(first);
        assertThat(pin(1)).isSameAs(first);
        assertThat(opened).isOne();
    }

    @Test
    void shouldFindAReplicaAnewThatWasForgotten() {
        Replica removed = pin(1);
        open.forget(removed);
        assertThat(pin(1)).isNotSameAs(removed);
        open.unpin(removed);
        assertThat(opened).isEqualTo(2);
    }

    @Test
    void shouldBeClosedWhenTheLastUseEnds() {
        use(1);
        Replica replica = pin(2);
        assertThat(open.close()).isNotDone();
        open.unpin(replica);
        assertThat(open.close()).isDone();
    }
}
