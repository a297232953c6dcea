package org.beefs.queenbee.hive;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.wire.DesktopReply;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.common.wire.Inventory;
import org.beefs.common.wire.InventoryRange;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.session.DesktopConnection;
import org.junit.jupiter.api.Test;

/** Which inventories are compared at a time, with a namespace that one step goes through. */
class InventoryComparisonsTest {
    private static final int MOST = 1000;

    private final InventoryComparisons comparisons = new InventoryComparisons(new Namespace(), MOST);
    private final Honeycomb first = honeycomb(1);
    private final Honeycomb second = honeycomb(2);
    private final Honeycomb third = honeycomb(3);
    private final DesktopConnection connection = new Connection();
    private final DesktopConnection other = new Connection();

    @Test
    void shouldCompareThoseTogetherThatAreWithinTheBound() {
        tell(first, 400);
        tell(second, 600);
        tell(third, 1);

        comparisons.step();

        assertThat(isDone(first, 400)).isTrue();
        assertThat(isDone(second, 600)).isTrue();
        assertThat(isDone(third, 1)).isFalse();
        assertThat(comparisons.isRunning()).isTrue();
        comparisons.step();
        assertThat(isDone(third, 1)).isTrue();
        assertThat(comparisons.isRunning()).isFalse();
    }

    @Test
    void shouldCompareOneThatIsBeyondTheBoundByItself() {
        tell(first, 5 * MOST);
        tell(second, 1);

        comparisons.step();

        assertThat(isDone(first, 5 * MOST)).isTrue();
        assertThat(isDone(second, 1)).isFalse();
    }

    @Test
    void shouldKeepNothingOfAConnectionThatIsClosed() {
        tell(first, 1);
        comparisons.step();
        tell(second, 1);

        comparisons.closed(connection);

        assertThat(comparisons.isRunning()).isFalse();
        comparisons.step();
        assertThat(isDone(first, 1)).isFalse();
        assertThat(isDone(second, 1)).isFalse();
    }

    @Test
    void shouldKeepWhatWasToldOverOtherConnections() {
        tell(first, 1);
        comparisons.take(second, other, told(2));

        comparisons.closed(connection);
        comparisons.step();

        assertThat(comparisons.take(second, other, told(2))).isNotNull();
    }

    /** One that was sent again in the place of the one that is forgotten must be looked at. */
    @Test
    void shouldBeNewsToThoseWhoWaitThatAComparisonIsForgotten() {
        tell(first, 1);

        comparisons.closed(other);
        assertThat(comparisons.takeNews()).isFalse();
        comparisons.closed(connection);

        assertThat(comparisons.takeNews()).isTrue();
    }

    private void tell(Honeycomb honeycomb, long replicas) {
        assertThat(isDone(honeycomb, replicas)).isFalse();
    }

    private boolean isDone(Honeycomb honeycomb, long replicas) {
        return comparisons.take(honeycomb, connection, told(replicas)) != null;
    }

    private static Inventory told(long replicas) {
        return Inventory.newBuilder()
                .addRanges(InventoryRange.newBuilder().setLastInode(100).setReplicas(replicas))
                .build();
    }

    private static Honeycomb honeycomb(int number) {
        return new Honeycomb(number, ByteString.EMPTY, new Owing());
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
