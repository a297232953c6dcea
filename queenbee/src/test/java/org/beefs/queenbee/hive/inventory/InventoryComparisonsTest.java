package org.beefs.queenbee.hive.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.wire.DesktopReply;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.common.wire.Inventory;
import org.beefs.common.wire.InventoryRange;
import org.beefs.queenbee.lease.Occasions;
import org.beefs.queenbee.lease.Wait;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.session.DesktopConnection;
import org.junit.jupiter.api.Test;

/** Which inventories are compared at a time, with a namespace that one step goes through. */
class InventoryComparisonsTest {
    private static final int MOST = 1000;
    private static final int FIRST = 1;
    private static final int SECOND = 2;
    private static final int THIRD = 3;

    private final Occasions occasions = new Occasions();
    private final InventoryComparisons comparisons = new InventoryComparisons(new Namespace(), occasions, MOST);
    private final DesktopConnection connection = new Connection();
    private final DesktopConnection other = new Connection();

    @Test
    void shouldCompareThoseTogetherThatAreWithinTheBound() {
        tell(FIRST, 400);
        tell(SECOND, 600);
        tell(THIRD, 1);

        comparisons.step();

        assertThat(isDone(FIRST, 400)).isTrue();
        assertThat(isDone(SECOND, 600)).isTrue();
        assertThat(isDone(THIRD, 1)).isFalse();
        assertThat(comparisons.isRunning()).isTrue();
        comparisons.step();
        assertThat(isDone(THIRD, 1)).isTrue();
        assertThat(comparisons.isRunning()).isFalse();
    }

    @Test
    void shouldCompareOneThatIsBeyondTheBoundByItself() {
        tell(FIRST, 5 * MOST);
        tell(SECOND, 1);

        comparisons.step();

        assertThat(isDone(FIRST, 5 * MOST)).isTrue();
        assertThat(isDone(SECOND, 1)).isFalse();
    }

    @Test
    void shouldKeepNothingOfAConnectionThatIsClosed() {
        tell(FIRST, 1);
        comparisons.step();
        tell(SECOND, 1);

        comparisons.closed(connection);

        assertThat(comparisons.isRunning()).isFalse();
        comparisons.step();
        assertThat(isDone(FIRST, 1)).isFalse();
        assertThat(isDone(SECOND, 1)).isFalse();
    }

    @Test
    void shouldKeepWhatWasToldOverOtherConnections() {
        tell(FIRST, 1);
        comparisons.take(SECOND, other, told(2));

        comparisons.closed(connection);
        comparisons.step();

        assertThat(comparisons.take(SECOND, other, told(2))).isNotNull();
    }

    /** One that was sent again in the place of the one that is forgotten must be looked at. */
    @Test
    void shouldLetThoseLookAgainWhoseComparisonIsForgotten() {
        tell(FIRST, 1);

        comparisons.closed(other);
        assertThat(occasions.has(Wait.Occasion.COMPARED)).isFalse();
        comparisons.closed(connection);

        assertThat(occasions.has(Wait.Occasion.COMPARED)).isTrue();
    }

    private void tell(int honeycomb, long replicas) {
        assertThat(isDone(honeycomb, replicas)).isFalse();
    }

    private boolean isDone(int honeycomb, long replicas) {
        return comparisons.take(honeycomb, connection, told(replicas)) != null;
    }

    private static Inventory told(long replicas) {
        return Inventory.newBuilder()
                .addRanges(InventoryRange.newBuilder().setLastInode(100).setReplicas(replicas))
                .build();
    }

    private static final class Connection implements DesktopConnection {
        @Override
        public CompletableFuture<DesktopReply> call(DesktopRequest request, Duration deadline) {
            return new CompletableFuture<>();
        }

        @Override
        public void close() {}

        @Override
        public String peer() {
            return "test";
        }
    }
}
