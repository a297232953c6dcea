package org.beefs.honeybee.queen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.honeybee.fake.FakeHive.ROOT;
import static org.beefs.honeybee.fake.FakeHive.bytes;

import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.beefs.common.time.Await;
import org.beefs.common.wire.Open;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.QueenRequest.OperationCase;
import org.beefs.common.wire.SetAttributes;
import org.junit.jupiter.api.Test;

/** What two threads ask of the queen-bee in the same moment, of which the later may not overtake the earlier. */
class OvertakingTest extends DelegatedHomeTest {
    @Test
    void shouldLetNoRemovalOvertakeAnOpenThatIsJustBeingTold() throws InterruptedException {
        Opened made = hive.get(create("f"));
        hive.get(hive.proxy.release(Objects.requireNonNull(made.open()), null));
        queen.layout(FIRST).setDirty(false).setReadable(true);
        hive.get(hive.proxy.attributes(FIRST));
        queen.requests.clear();
        assertThat(hive.proxy.openKnown(ROOT, Open.newBuilder().setInode(FIRST).setRead(true), layout -> true))
                .isNotNull();
        Thread removing = Thread.ofPlatform().unstarted(() -> hive.proxy.unlink(ROOT, home, bytes("f")));
        hive.atClock = () -> {
            hive.atClock = () -> {};
            removing.start();
            awaitStandstill(removing);
        };

        hive.pass(SOON);
        removing.join(WHILE);
        hive.timers.runDue();

        assertThat(queen.requests)
                .extracting(QueenRequest::getOperationCase)
                .containsExactly(OperationCase.OPEN, OperationCase.UNLINK);
    }

    /**
     * It is gone when the queen-bee knows of no open any more, and an open that is decided here she knows only later.
     */
    @Test
    void shouldOpenNothingWithoutANameBeforeAsking() {
        Opened made = hive.get(create("f"));
        hive.get(hive.proxy.release(Objects.requireNonNull(made.open()), null));
        queen.layout(FIRST).setDirty(false).setReadable(true);
        queen.node(FIRST).getAttributesBuilder().setLinks(0);
        hive.get(hive.proxy.attributes(FIRST));

        assertThat(hive.proxy.openKnown(ROOT, Open.newBuilder().setInode(FIRST).setRead(true), layout -> true))
                .isNull();
    }

    @Test
    void shouldDecideNoRemovalWhileAnOpenIsBeingToldThatItHasNotSeen() throws InterruptedException {
        Opened made = hive.get(create("f"));
        hive.get(hive.proxy.release(Objects.requireNonNull(made.open()), null));
        queen.layout(FIRST).setDirty(false).setReadable(true);
        hive.get(hive.proxy.attributes(FIRST));
        queen.requests.clear();
        CountDownLatch isTelling = new CountDownLatch(1);
        CountDownLatch isRemoved = new CountDownLatch(1);
        Thread telling = Thread.ofPlatform().unstarted(() -> hive.pass(SOON));
        hive.atClock = () -> {
            hive.atClock = () -> {};
            assertThat(hive.proxy.openKnown(
                            ROOT, Open.newBuilder().setInode(FIRST).setRead(true), layout -> true))
                    .isNotNull();
            hive.atClock = () -> {
                hive.atClock = () -> {};
                isTelling.countDown();
                await(isRemoved);
            };
            telling.start();
            await(isTelling);
        };

        hive.proxy.unlink(ROOT, home, bytes("f"));
        isRemoved.countDown();
        telling.join(WHILE);
        hive.timers.runDue();

        assertThat(queen.requests)
                .extracting(QueenRequest::getOperationCase)
                .containsExactly(OperationCase.OPEN, OperationCase.UNLINK);
    }

    @Test
    void shouldLetNoReleaseOvertakeTimesThatAreJustBeingAskedFor() throws InterruptedException {
        Opened opened = hive.get(create("f"));
        OpenRecord open = Objects.requireNonNull(opened.open());
        hive.get(Objects.requireNonNull(hive.proxy.decideTimes(
                ROOT, SetAttributes.newBuilder().setInode(FIRST).setMtimeNow(true), open.handle())));
        Thread releasing = Thread.ofPlatform().unstarted(() -> hive.proxy.release(open, null));
        hive.atClock = () -> {
            hive.atClock = () -> {};
            releasing.start();
            awaitStandstill(releasing);
        };

        hive.session.settled();
        releasing.join(WHILE);
        hive.timers.runDue();

        assertThat(queen.requests)
                .extracting(QueenRequest::getOperationCase)
                .containsExactly(OperationCase.CREATE, OperationCase.SET_ATTRIBUTES, OperationCase.RELEASE);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Until it has ended, or waits for somebody else. */
    private static void awaitStandstill(Thread thread) {
        Await.until("the thread stands still", () -> thread.getState() == Thread.State.BLOCKED || !thread.isAlive());
    }
}
