package org.beefs.common.rpc.tcp;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.concurrent.TimeUnit;
import org.beefs.common.rpc.Frame;
import org.beefs.common.rpc.Payload;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Layout;
import org.beefs.common.wire.Lookup;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Timestamp;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What frames and messages cost, without a network: a lookup and its answer.
 * {@link org.beefs.common.measurement.Benchmarks} runs it.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class CodecBenchmark {
    /** Pipelined, as they come with one read of a socket. */
    private static final int FRAMES = 64;

    private static final ByteString UUID = ByteString.copyFrom(new byte[16]);

    private final QueenRequest request = QueenRequest.newBuilder()
            .setSession(1L << 40)
            .setAcknowledged(123_456)
            .setLookup(Lookup.newBuilder().setParent(1L << 40).setName(ByteString.copyFromUtf8("Report 12.odt")))
            .build();
    private final QueenReply reply = reply();
    private final ByteString encodedRequest = request.toByteString();
    private final ByteString encodedReply = reply.toByteString();
    private final ByteBuf wire = wire(encodedRequest);
    private final FrameMac mac = mac();
    private final ByteBuf sent = Unpooled.directBuffer(1024);
    private final EmbeddedChannel decoder = new EmbeddedChannel(new FrameDecoder(null));

    @Benchmark
    public ByteString encodeReply() {
        return reply.toByteString();
    }

    @Benchmark
    public QueenReply decodeReply() throws InvalidProtocolBufferException {
        return QueenReply.parseFrom(encodedReply);
    }

    @Benchmark
    public QueenRequest decodeRequest() throws InvalidProtocolBufferException {
        return QueenRequest.parseFrom(encodedRequest);
    }

    @Benchmark
    public ByteBuf encodeFrame() {
        FrameEncoder.writeHead(new Frame(Frame.Kind.REPLY, 1, encodedReply, Payload.NONE), null, sent.clear());
        return sent;
    }

    /** As {@link #encodeFrame} in a hive with a key. */
    @Benchmark
    public ByteBuf encodeAuthenticatedFrame() {
        FrameEncoder.writeHead(new Frame(Frame.Kind.REPLY, 1, encodedReply, Payload.NONE), mac, sent.clear());
        return sent;
    }

    /** What a frame that is received costs more in a hive with a key. */
    @Benchmark
    public long authenticateRequest() {
        return mac.next(wire.nioBuffer(0, FrameHeader.LENGTH + encodedRequest.size()));
    }

    @Benchmark
    @OperationsPerInvocation(FRAMES)
    public int decodeFrames() {
        decoder.writeInbound(wire.retainedDuplicate());
        int decoded = 0;
        for (Frame frame = decoder.readInbound(); frame != null; frame = decoder.readInbound()) {
            decoded += frame.message().size();
        }
        return decoded;
    }

    private static FrameMac mac() {
        FrameMac mac = new FrameMac();
        mac.start(new byte[SipHash.KEY_BYTES]);
        return mac;
    }

    private static ByteBuf wire(ByteString message) {
        ByteBuf wire = Unpooled.directBuffer();
        for (int id = 1; id <= FRAMES; id++) {
            wire.ensureWritable(FrameHeader.LENGTH + message.size());
            FrameEncoder.writeHead(new Frame(Frame.Kind.REQUEST, id, message, Payload.NONE), null, wire);
        }
        return wire;
    }

    private static QueenReply reply() {
        Timestamp time = Timestamp.newBuilder()
                .setSeconds(1_795_000_000)
                .setNanos(123_456_789)
                .build();
        return QueenReply.newBuilder()
                .setDurableSequence(1L << 40)
                .setEntryLeased(true)
                .setNode(Node.newBuilder()
                        .setAttributesLeased(true)
                        .setAttributes(Attributes.newBuilder()
                                .setInode(1L << 40)
                                .setMode(0100644)
                                .setLinks(1)
                                .setUid(1000)
                                .setGid(1000)
                                .setSize(12_345)
                                .setBlocks(32)
                                .setAtime(time)
                                .setMtime(time)
                                .setCtime(time)
                                .setBtime(time))
                        .setLayout(Layout.newBuilder()
                                .setInode(1L << 40)
                                .setEpoch(1L << 40)
                                .setVersion(1L << 40)
                                .setHoneycomb(UUID)
                                .setAddress("192.168.10.123:7412")
                                .setDesktop("desktop1")
                                .setCapability(UUID)))
                .build();
    }
}
