package org.beefs.honeybee.queen;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.DesktopReply;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.common.wire.Examine;
import org.beefs.common.wire.HoneycombSpace;
import org.beefs.common.wire.Inventory;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.QueenRequest.OperationCase;
import org.beefs.common.wire.ReplicaName;
import org.beefs.common.wire.ReplicaNames;
import org.beefs.common.wire.UserActivity;
import org.beefs.honeybee.fake.EmptyHoneycomb;
import org.beefs.honeybee.fake.FakeHive;
import org.beefs.honeybee.fake.FakeQueen;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the queen-bee is told of the honeycomb of a desktop, and asks of it. */
class OwnHoneycombTest {
    private static final Duration WHILE = Duration.ofSeconds(3);

    private final RecordingHoneycomb own = new RecordingHoneycomb();
    private final FakeHive hive = new FakeHive(FakeHive.CONFIG, own, null);
    private final FakeQueen queen = hive.queen;

    @Test
    void shouldSendHeartbeatsAlsoWhenTheHoneycombsDiskCannotBeAsked() {
        hive.get(hive.session.start());
        own.failure = new PosixException(Errno.EIO, "the disk is broken");

        hive.pass(Duration.ofSeconds(10));

        assertThat(queen.requestsOf(OperationCase.HEARTBEAT)).hasSizeGreaterThanOrEqualTo(5);
    }

    @Test
    void shouldTellWhetherItsDesktopIsUsed() {
        own.userActivity = UserActivity.ACTIVE;
        hive.get(hive.session.start());

        hive.pass(Duration.ofSeconds(10));

        assertThat(queen.requestsOf(OperationCase.HEARTBEAT))
                .anyMatch(request -> request.getHeartbeat().getUserActivity() == UserActivity.ACTIVE);
    }

    @Test
    void shouldReportItsReplicasAndRemoveWhatIsUnwanted() {
        queen.unwanted = ReplicaNames.newBuilder()
                .addReplicas(ReplicaName.newBuilder().setInode(2))
                .build();

        hive.get(hive.session.start());

        List<QueenRequest> told = queen.requestsOf(OperationCase.INVENTORY);
        assertThat(told.getFirst().getInventory().getRanges(0).getReplicas()).isEqualTo(2);
        assertThat(told.get(1).getInventory().getReplicasList())
                .extracting(ReplicaName::getInode)
                .containsExactly(1L, 2L);
        assertThat(told.getLast().getInventory()).isEqualTo(Inventory.getDefaultInstance());
        assertThat(own.served.getDrop()).isEqualTo(queen.unwanted);
    }

    @Test
    void shouldListNothingThatIsAsItShouldBe() {
        queen.agrees = true;

        hive.get(hive.session.start());

        assertThat(queen.requestsOf(OperationCase.INVENTORY))
                .allMatch(request -> request.getInventory().getReplicasCount() == 0)
                .hasSize(2);
    }

    @Test
    void shouldWaitUntilTheQueenBeeHasGoneThroughALargeHive() {
        queen.held = OperationCase.INVENTORY;
        hive.get(hive.session.start());

        hive.pass(FakeHive.CONFIG.queenDeadline().plus(InventoryReport.PAUSE).multipliedBy(2));
        assertThat(queen.requestsOf(OperationCase.INVENTORY)).hasSize(1);

        queen.held = OperationCase.OPERATION_NOT_SET;
        queen.letGo();
        hive.pass(WHILE);
        assertThat(queen.requestsOf(OperationCase.INVENTORY)).hasSize(3);
    }

    @Test
    void shouldReportItsReplicasAgainWhenThatHasFailed() {
        own.listingFailure = new PosixException(Errno.EIO, "the disk is busy");
        hive.get(hive.session.start());
        assertThat(queen.requestsOf(OperationCase.INVENTORY)).isEmpty();

        own.listingFailure = null;
        hive.pass(InventoryReport.PAUSE);

        assertThat(queen.requestsOf(OperationCase.INVENTORY)).hasSize(3);
    }

    @Test
    void shouldReportItsReplicasOnceInEachSession() {
        hive.get(hive.session.start());
        assertThat(queen.requestsOf(OperationCase.INVENTORY)).hasSize(3);

        long inode = queen.addFile("f", hive.honeycomb.layout(), Attributes.newBuilder());
        queen.endSession();
        hive.get(hive.proxy.attributes(inode));

        assertThat(queen.registers).hasSize(2);
        assertThat(queen.requestsOf(OperationCase.INVENTORY)).hasSize(6);
    }

    @Test
    void shouldDoWhatTheQueenAsksOfTheDesktop() {
        hive.get(hive.session.start());
        DesktopRequest examine = DesktopRequest.newBuilder()
                .setExamine(Examine.getDefaultInstance())
                .build();

        hive.get(queen.newestConnection().call(examine, DesktopReply.parser(), WHILE));

        assertThat(own.served).isEqualTo(examine);
    }

    private static final class RecordingHoneycomb extends EmptyHoneycomb {
        private DesktopRequest served = DesktopRequest.getDefaultInstance();
        private UserActivity userActivity = UserActivity.UNKNOWN;
        private @Nullable PosixException failure;
        private @Nullable PosixException listingFailure;

        @Override
        public HoneycombSpace space() {
            if (failure != null) {
                throw failure;
            }
            return HoneycombSpace.getDefaultInstance();
        }

        @Override
        public UserActivity userActivity() {
            return userActivity;
        }

        @Override
        public CompletableFuture<List<ReplicaName>> inventory(@Nullable ReplicaName after, int limit) {
            if (listingFailure != null) {
                return CompletableFuture.failedFuture(listingFailure);
            }
            return CompletableFuture.completedFuture(
                    after != null
                            ? List.of()
                            : List.of(
                                    ReplicaName.newBuilder().setInode(1).build(),
                                    ReplicaName.newBuilder().setInode(2).build()));
        }

        @Override
        public CompletableFuture<DesktopReply> serve(DesktopRequest request) {
            served = request;
            return CompletableFuture.completedFuture(DesktopReply.getDefaultInstance());
        }
    }
}
