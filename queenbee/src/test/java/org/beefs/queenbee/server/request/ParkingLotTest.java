package org.beefs.queenbee.server.request;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.MessageLite;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.beefs.common.posix.PosixException;
import org.beefs.common.rpc.Payload;
import org.beefs.common.rpc.Service;
import org.beefs.common.wire.ChangeReplication;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.queenbee.lease.Wait.Occasion;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;

/** Requests that have to wait for others. */
class ParkingLotTest {
    private final TestHive hive = new TestHive();
    private final TestDesktop holder = new TestDesktop(hive, "holder").registered();
    private final TestDesktop tool = new TestDesktop(hive, "tool");

    /** Numbers are a session's own: what needs no session may send whichever it likes. */
    @Test
    void shouldAnswerAllRequestsWithoutSessionWhateverNumbersTheyHave() {
        long file = holder.ok(Ask.mknod(Namespace.ROOT, "f", 0100644))
                .getNode()
                .getAttributes()
                .getInode();
        holder.ok(Ask.attributes(file));
        holder.holdOn();
        QueenRequest change = QueenRequest.newBuilder()
                .setSession(holder.session())
                .setSequence(holder.sequence())
                .setChangeReplication(ChangeReplication.newBuilder()
                        .setInode(file)
                        .setName(Ask.bytes("beefs.replicas"))
                        .setValue(Ask.bytes("2")))
                .build();

        List<CompletableFuture<QueenReply>> replies = List.of(tool.submit(change), tool.submit(change));
        assertThat(replies).noneMatch(CompletableFuture::isDone);
        holder.letGo();

        assertThat(hive.fatal()).isEmpty();
        assertThat(replies).allMatch(CompletableFuture::isDone);
        assertThat(replies).noneMatch(reply -> reply.join().hasFailure());
    }

    @Test
    void shouldParkNoMoreThanItHasRoomFor() {
        ParkingLot lot = new ParkingLot(2);
        assertThat(lot.park(request(1, 1), Occasion.MOVE)).isTrue();
        assertThat(lot.park(request(2, 1), Occasion.ROOM)).isTrue();
        assertThat(lot.park(request(3, 1), Occasion.ROOM)).isFalse();

        assertThat(lot.take(Occasion.MOVE)).hasSize(1);

        assertThat(lot.park(request(3, 1), Occasion.ROOM)).isTrue();
    }

    /** What nobody numbers, because it only looks, counts as well. */
    @Test
    void shouldLeaveRoomToOthersWhateverOneSessionAsksFor() {
        ParkingLot lot = new ParkingLot(Integer.MAX_VALUE);
        assertThat(LongStream.range(0, ParkingLot.MAX_OF_SESSION))
                .allMatch(number -> lot.park(request(1, number % 2 * number), Occasion.MOVE));

        assertThat(lot.park(request(1, 10_000), Occasion.ROOM)).isFalse();
        assertThat(lot.park(request(1, 0), Occasion.ROOM)).isFalse();
        assertThat(lot.park(request(2, 1), Occasion.ROOM)).isTrue();

        assertThat(lot.take(Occasion.MOVE)).isNotEmpty();
        assertThat(lot.park(request(1, 10_000), Occasion.ROOM)).isTrue();
    }

    private Incoming request(long session, long sequence) {
        QueenRequest body = QueenRequest.newBuilder()
                .setSession(session)
                .setSequence(sequence)
                .build();
        return new Incoming(body, holder, new Nobody(), 1, 0);
    }

    private static final class Nobody implements Service.Responder {
        @Override
        public void answer(MessageLite reply, Payload payload) {
            payload.close();
        }

        @Override
        public void fail(PosixException cause) {
            throw new AssertionError(cause);
        }
    }
}
