package org.beefs.queenbee.server.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.wire.ChangeReplication;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
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
}
