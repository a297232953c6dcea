package org.beefs.queenbee.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.beefs.common.wire.ChangeReplication;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;

/** A tool's change, which belongs to no session, is made as any other. */
class ChangeReplicationOperationTest {
    private final TestHive hive = new TestHive();
    private final TestDesktop desk = new TestDesktop(hive, "desk").registered();

    private long makeFile() {
        return desk.ok(Ask.mknod(Namespace.ROOT, "file", 0100600))
                .getNode()
                .getAttributes()
                .getInode();
    }

    private CompletableFuture<QueenReply> change(long inode, String replicas) {
        CompletableFuture<QueenReply> reply = hive.queenBee()
                .request(QueenRequest.newBuilder()
                        .setChangeReplication(ChangeReplication.newBuilder()
                                .setInode(inode)
                                .setName(Ask.bytes("beefs.replicas"))
                                .setValue(Ask.bytes(replicas)))
                        .build());
        hive.run();
        return reply;
    }

    private String replicas(long inode) {
        return desk.ok(Ask.getXattr(inode, "beefs.replicas")).getXattr().toStringUtf8();
    }

    @Test
    void shouldWaitForWhoCachesTheFile() {
        long file = makeFile();
        desk.ok(Ask.attributes(file));
        desk.holdOn();

        CompletableFuture<QueenReply> reply = change(file, "2");

        assertThat(reply).isNotDone();
        assertThat(desk.recalls()).isNotEmpty();
        desk.letGo();
        hive.run();
        assertThat(reply.join().hasFailure()).isFalse();
        assertThat(replicas(file)).isEqualTo("2");
    }

    @Test
    void shouldLeaveNobodyWithoutLeasesAfterwards() {
        long file = makeFile();
        desk.ok(Ask.attributes(file));
        desk.holdOn();
        change(file, "2");
        desk.letGo();
        hive.run();

        change(file, "3");

        assertThat(replicas(file)).isEqualTo("3");
        assertThat(desk.ok(Ask.attributes(file)).getNode().getAttributesLeased())
                .isTrue();
    }
}
