package org.beefs.cli.fsck;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import org.beefs.cli.daemon.World;
import org.beefs.common.posix.Failures;
import org.beefs.common.rpc.Message;
import org.beefs.common.rpc.RpcConnection;
import org.beefs.common.time.ProductionOnly;

/**
 * A queen-bee or a honeycomb that is asked one thing after the other. Methods fail with
 * {@link org.beefs.common.posix.PosixException}.
 */
@ProductionOnly
record Peer(RpcConnection connection) implements AutoCloseable {
    private static final Duration GREETING = Duration.ofSeconds(5);

    /** Thousands of files may be looked at, or megabytes read, on a busy disk. */
    private static final Duration ANSWER = Duration.ofSeconds(60);

    static Peer connect(InetSocketAddress address, World world) {
        try {
            return new Peer(world.connect(address, GREETING).join());
        } catch (CompletionException e) {
            throw Failures.toPosix(e);
        }
    }

    /** Only with the honeycomb of this UUID: another one may have got its address. */
    static Peer connect(InetSocketAddress address, ByteString honeycomb, World world) {
        Peer peer = connect(address, world);
        try {
            peer.connection.greetedBy(honeycomb).join();
            return peer;
        } catch (CompletionException e) {
            peer.close();
            throw Failures.toPosix(e);
        }
    }

    <A extends MessageLite> A ask(MessageLite request, Parser<A> answers) {
        try {
            Message<A> answer = connection.call(request, answers, ANSWER).join();
            answer.payload().close();
            return answer.body();
        } catch (CompletionException e) {
            throw Failures.toPosix(e);
        }
    }

    @Override
    public void close() {
        connection.close();
    }
}
