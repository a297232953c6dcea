package org.beefs.honeycomb.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.honeycomb.store.Targets.name;
import static org.beefs.honeycomb.store.Targets.target;

import java.util.List;
import java.util.stream.IntStream;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.Seal;
import org.beefs.honeycomb.state.ReplicaId;
import org.junit.jupiter.api.Test;

/** Nine replicas that carry a version, after a loss of power. */
class DoubtsTest {
    private static final int BOUND = 3;

    private final StoreFixture fixture = new StoreFixture();
    private final OpenReplicas open = new OpenReplicas(fixture.files, fixture.catalog, 16, doubts());
    private final Doubts doubts = doubts();

    DoubtsTest() {
        for (int inode = 1; inode <= 9; inode++) {
            ReplicaStatus committed = fixture.write(target(inode), 0, "honey");
            Seal seal = Seal.newBuilder()
                    .setReplica(name(inode))
                    .setVersion(3)
                    .setSize(committed.getSize())
                    .setMtime(committed.getMtime())
                    .build();
            assertThat(fixture.seal(List.of(seal))).isNull();
        }
        doubts.begin();
    }

    @Test
    void shouldBelieveAllThatTheRoundHasComePast() {
        compareInTheRound(1, 6);

        assertThat(doubted()).containsExactly(7, 8, 9);
    }

    @Test
    void shouldStillDoubtWhatTheRoundCouldNotCompare() {
        doubts.passBy(id(3));
        compareInTheRound(1, 2);
        doubts.pass(id(3));
        compareInTheRound(4, 6);
        assertThat(doubted()).containsExactly(3, 7, 8, 9);

        doubts.settled(replica(3));
        assertThat(doubted()).containsExactly(7, 8, 9);
    }

    /** The round itself compares many more than are remembered. */
    @Test
    void shouldRememberWhatUsersHaveComparedAheadOfTheRound() {
        doubts.settled(replica(8));
        doubts.settled(replica(9));

        compareInTheRound(1, 6);

        assertThat(doubted()).containsExactly(7);
    }

    @Test
    void shouldRatherDoubtAllThanForgetWhatCouldNotBeCompared() {
        IntStream.rangeClosed(1, BOUND + 1).forEach(inode -> {
            doubts.passBy(id(inode));
            doubts.pass(id(inode));
        });

        compareInTheRound(BOUND + 2, 6);

        assertThat(doubted()).contains(1, 2, 3, 4, 7, 8, 9);
    }

    @Test
    void shouldDoubtWhatAnEarlierStartHasComparedUntilItsRoundIsOver() {
        compareInTheRound(4, 6);
        assertThat(doubted()).containsExactly(1, 2, 3, 7, 8, 9);

        doubts.end();
        assertThat(doubted()).isEmpty();
    }

    private void compareInTheRound(int first, int last) {
        for (int inode = first; inode <= last; inode++) {
            doubts.settled(replica(inode));
            doubts.pass(id(inode));
        }
    }

    private List<Integer> doubted() {
        return IntStream.rangeClosed(1, 9)
                .filter(inode -> doubts.concerns(replica(inode)))
                .boxed()
                .toList();
    }

    private Replica replica(int inode) {
        return open.use(id(inode)).replica();
    }

    private static ReplicaId id(int inode) {
        return new ReplicaId(inode, 0);
    }

    private Doubts doubts() {
        return new Doubts(fixture.catalog.scrub(), new Rot(fixture.catalog), new CheckQueue(), fixture.buffers, BOUND);
    }
}
