package org.beefs.common.rpc.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.CorruptedFrameException;
import io.netty.handler.codec.EncoderException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.beefs.common.rpc.Frame;
import org.beefs.common.rpc.Payload;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameCodecTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void shouldRestoreFramesFromWhateverPiecesArrive(long seed) {
        Random random = new Random(seed);
        List<Frame> frames = new ArrayList<>();
        List<byte[]> payloads = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            byte[] payload = bytes(random, random.nextInt(4) == 0 ? 0 : random.nextInt(i == 0 ? 500 : 5000));
            payloads.add(payload);
            frames.add(frame(i, bytes(random, random.nextInt(300)), payload));
        }
        ByteBuf wire = encode(frames);

        EmbeddedChannel decoder = new EmbeddedChannel(new FrameDecoder(null));
        while (wire.isReadable()) {
            int piece = Math.min(wire.readableBytes(), 1 + random.nextInt(random.nextBoolean() ? 30 : 9000));
            decoder.writeInbound(wire.readBytes(piece));
        }

        for (int i = 0; i < frames.size(); i++) {
            Frame decoded = decoder.readInbound();
            assertThat(decoded.kind()).isEqualTo(Frame.Kind.REQUEST);
            assertThat(decoded.id()).isEqualTo(i);
            assertThat(decoded.message()).isEqualTo(frames.get(i).message());
            assertThat(content(decoded)).isEqualTo(payloads.get(i));
            decoded.payload().close();
        }
        assertThat(decoder.<Frame>readInbound()).isNull();
        assertThat(wire.release()).isTrue();
    }

    @Test
    void shouldCarryTheIdThatLogsKnowARequestBy() {
        ByteBuf wire = encode(List.of(
                new Frame(Frame.Kind.REQUEST, 1, ByteString.copyFromUtf8("message"), Payload.NONE, 0xABCDL),
                frame(2, new byte[0], new byte[0])));
        EmbeddedChannel decoder = new EmbeddedChannel(new FrameDecoder(null));

        while (wire.isReadable()) {
            decoder.writeInbound(wire.readBytes(1));
        }

        Frame known = decoder.readInbound();
        assertThat(known.request()).isEqualTo(0xABCD);
        assertThat(known.message().toStringUtf8()).isEqualTo("message");
        assertThat(decoder.<Frame>readInbound().request()).isZero();
    }

    @Test
    void shouldGreetAsOlderVersionsDoSoThatTheyCanSayWhatIsWrong() {
        ByteBuf wire = encode(List.of(new Frame(Frame.Kind.HELLO, 0, ByteString.EMPTY, Payload.NONE)));

        assertThat(wire.readableBytes()).isEqualTo(24);
        assertThat(wire.getShort(5)).isZero();
    }

    @Test
    void shouldHandOnAPayloadThatCameInOnePieceWithoutCopying() {
        ByteBuf wire = encode(List.of(frame(1, new byte[0], new byte[] {1, 2, 3})));
        EmbeddedChannel decoder = new EmbeddedChannel(new FrameDecoder(null));

        decoder.writeInbound(wire);

        Frame frame = decoder.readInbound();
        ByteBuf slice = ((Payload.Bytes) frame.payload()).buffer();
        assertThat(wire.refCnt()).isEqualTo(1);
        wire.setByte(FrameHeader.LENGTH, 9);
        assertThat(slice.getByte(slice.readerIndex())).isEqualTo((byte) 9);
        frame.payload().close();
        assertThat(wire.refCnt()).isZero();
    }

    @Test
    void shouldGiveBackTheBufferOfAnUnfinishedPayloadWhenTheLinkEnds() {
        ByteBuf wire = encode(List.of(frame(1, new byte[10], new byte[1000])));
        EmbeddedChannel decoder = new EmbeddedChannel(new FrameDecoder(null));

        decoder.writeInbound(wire.readBytes(500));
        decoder.finishAndReleaseAll();

        assertThat(decoder.<Frame>readInbound()).isNull();
        assertThat(wire.release()).isTrue();
    }

    @Test
    void shouldRejectAMessageBeyondTheBound() {
        assertThatThrownBy(() -> decode(header(0xBEE0F500, 2, 0, Frame.MAX_MESSAGE + 1, 0)))
                .isInstanceOf(CorruptedFrameException.class)
                .hasMessage("a message of 25165825 bytes, more than the 25165824 allowed");
    }

    @Test
    void shouldRejectAPayloadBeyondTheBound() {
        assertThatThrownBy(() -> decode(header(0xBEE0F500, 2, 0, 0, -1)))
                .isInstanceOf(CorruptedFrameException.class)
                .hasMessage("a payload of 4294967295 bytes, more than the 1048576 allowed");
    }

    @Test
    void shouldGatherNoMoreThanAGreetingForWhoHasNotGreeted() {
        assertThatThrownBy(() -> decode(header(0xBEE0F500, 1, 0, FrameDecoder.MAX_GREETING + 1, 0)))
                .isInstanceOf(CorruptedFrameException.class)
                .hasMessage("it begins with more than a greeting");
        assertThatThrownBy(() -> decode(header(0xBEE0F500, 2, 0, 0, Frame.MAX_PAYLOAD)))
                .hasMessage("it begins with more than a greeting");
    }

    @Test
    void shouldRejectWhatIsNotTheProtocol() {
        assertThatThrownBy(() -> decode(Unpooled.copiedBuffer(new byte[100])))
                .isInstanceOf(CorruptedFrameException.class)
                .hasMessage("what it sends is not the BeeFS protocol");
    }

    @Test
    void shouldRejectUnknownKindsAndFlags() {
        assertThatThrownBy(() -> decode(header(0xBEE0F500, 77, 0, 0, 0))).hasMessage("a frame of unknown kind 77");
        assertThatThrownBy(() -> decode(header(0xBEE0F500, 2, 2, 0, 0))).hasMessage("a frame with unknown flags");
    }

    @Test
    void shouldTakeNothingAfterACorruptFrame() {
        EmbeddedChannel decoder = new EmbeddedChannel(new FrameDecoder(null));
        ByteBuf wire = Unpooled.wrappedBuffer(
                header(0xBEE0F500, 77, 0, 0, 0), encode(List.of(frame(1, new byte[0], new byte[0]))));

        assertThatThrownBy(() -> decoder.writeInbound(wire)).isInstanceOf(CorruptedFrameException.class);
        decoder.writeInbound(encode(List.of(frame(2, new byte[0], new byte[0]))));

        assertThat(decoder.<Frame>readInbound()).isNull();
    }

    @Test
    void shouldNotSendAFrameBeyondItsBoundsAndGiveItsPayloadBack() {
        EmbeddedChannel encoder = new EmbeddedChannel(new FrameEncoder(null));
        Frame frame = frame(1, new byte[Frame.MAX_MESSAGE + 1], new byte[1]);

        assertThatThrownBy(() -> encoder.writeOutbound(frame)).isInstanceOf(EncoderException.class);

        assertThat(((Payload.Bytes) frame.payload()).buffer().refCnt()).isZero();
    }

    private static Frame frame(long id, byte[] message, byte[] payload) {
        return new Frame(
                Frame.Kind.REQUEST,
                id,
                ByteString.copyFrom(message),
                new Payload.Bytes(Unpooled.copiedBuffer(payload)));
    }

    private static byte[] content(Frame frame) {
        return ByteBufUtil.getBytes(((Payload.Bytes) frame.payload()).buffer());
    }

    private static byte[] bytes(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private static ByteBuf encode(List<Frame> frames) {
        EmbeddedChannel encoder = new EmbeddedChannel(new FrameEncoder(null));
        ByteBuf wire = Unpooled.buffer();
        frames.forEach(frame -> encoder.writeOutbound(frame));
        for (ByteBuf part = encoder.readOutbound(); part != null; part = encoder.readOutbound()) {
            wire.writeBytes(part);
            part.release();
        }
        return wire;
    }

    private static void decode(ByteBuf wire) {
        new EmbeddedChannel(new FrameDecoder(null)).writeInbound(wire);
    }

    private static ByteBuf header(int magic, int kind, int flags, int messageLength, int payloadLength) {
        return Unpooled.buffer()
                .writeInt(magic)
                .writeByte(kind)
                .writeByte(flags)
                .writeShort(0)
                .writeLong(1)
                .writeInt(messageLength)
                .writeInt(payloadLength);
    }
}
