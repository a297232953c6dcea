package org.beefs.common.rpc.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.CorruptedFrameException;
import java.nio.charset.StandardCharsets;
import org.beefs.common.rpc.Frame;
import org.beefs.common.rpc.Payload;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FrameMacTest {
    private static final byte[] KEY = "a key of 16 byte".getBytes(StandardCharsets.US_ASCII);

    private final EmbeddedChannel sender = new EmbeddedChannel(new FrameEncoder(mac(KEY)));
    private final EmbeddedChannel receiver = new EmbeddedChannel(new FrameDecoder(mac(KEY)));

    @AfterEach
    void release() {
        sender.finishAndReleaseAll();
        receiver.finishAndReleaseAll();
    }

    @Test
    void shouldLetThroughWhatTheOtherSideSendsInOrder() {
        ByteBuf wire = Unpooled.wrappedBuffer(sent("one", "content"), sent("two", ""), sent("three", "more"));

        while (wire.isReadable()) {
            receiver.writeInbound(wire.readBytes(1));
        }

        assertReceived("one", "content");
        assertReceived("two", "");
        assertReceived("three", "more");
        wire.release();
    }

    @Test
    void shouldNotTakeAFrameOfWhichABitWasChanged() {
        ByteBuf wire = sent("message", "");
        for (int bit = 0; bit < wire.readableBytes() * Byte.SIZE; bit++) {
            ByteBuf changed = wire.copy();
            changed.setByte(bit / Byte.SIZE, changed.getByte(bit / Byte.SIZE) ^ (1 << (bit % Byte.SIZE)));
            EmbeddedChannel fresh = new EmbeddedChannel(new FrameDecoder(mac(KEY)));

            try {
                fresh.writeInbound(changed);
            } catch (CorruptedFrameException e) {
                assertThat(e).hasMessageNotContaining("index");
            }

            assertThat(fresh.<Frame>readInbound()).isNull();
            fresh.finishAndReleaseAll();
        }
        wire.release();
    }

    @Test
    void shouldNotTakeAFrameTwice() {
        ByteBuf wire = sent("one", "");
        receiver.writeInbound(wire.copy());
        assertReceived("one", "");

        assertForged(wire);
    }

    @Test
    void shouldNotTakeFramesInAnotherOrder() {
        ByteBuf first = sent("one", "");

        assertForged(sent("two", ""));
        first.release();
    }

    @Test
    void shouldNotTakeFramesOfAnotherKey() {
        byte[] other = KEY.clone();
        other[15]++;
        EmbeddedChannel stranger = new EmbeddedChannel(new FrameEncoder(mac(other)));
        stranger.writeOutbound(frame("one", ""));

        assertForged(stranger.readOutbound());
        stranger.finishAndReleaseAll();
    }

    @Test
    void shouldTakeNothingAfterAForgedFrame() {
        ByteBuf good = sent("one", "");
        assertForged(good.copy().setByte(good.readableBytes() - 1, good.getByte(good.readableBytes() - 1) + 1));

        receiver.writeInbound(good);

        assertThat(receiver.<Frame>readInbound()).isNull();
    }

    @Test
    void shouldNotAnswerASecondWishForAKeyAsIfTheOtherSideHadRefused() {
        EmbeddedChannel exchange = new EmbeddedChannel(new FrameDecoder(mac(KEY)));

        assertThatThrownBy(() -> exchange.writeInbound(
                        Unpooled.buffer().writeInt(0xBEE0F54C).writeZero(64)))
                .hasMessage("what it sends is not the BeeFS protocol");
        assertThat(exchange.<Frame>readInbound()).isNull();
    }

    @Test
    void shouldSendNothingBeforeThereIsAKey() {
        ByteBuf out = Unpooled.directBuffer(100);

        assertThatThrownBy(() -> FrameEncoder.writeHead(frame("one", ""), new FrameMac(), out))
                .isInstanceOf(IllegalStateException.class);
        out.release();
    }

    private void assertForged(ByteBuf wire) {
        assertThatThrownBy(() -> receiver.writeInbound(wire))
                .isInstanceOf(CorruptedFrameException.class)
                .hasMessage("a frame is forged, or was changed, repeated or left out on the way");
        assertThat(receiver.<Frame>readInbound()).isNull();
    }

    private void assertReceived(String message, String payload) {
        Frame received = receiver.readInbound();
        assertThat(received.message().toStringUtf8()).isEqualTo(message);
        assertThat(((Payload.Bytes) received.payload()).buffer().toString(StandardCharsets.UTF_8))
                .isEqualTo(payload);
        received.payload().close();
    }

    /** What goes over the wire, in one piece. */
    private ByteBuf sent(String message, String payload) {
        sender.writeOutbound(frame(message, payload));
        ByteBuf wire = Unpooled.buffer();
        for (ByteBuf part = sender.readOutbound(); part != null; part = sender.readOutbound()) {
            wire.writeBytes(part);
            part.release();
        }
        return wire;
    }

    private static Frame frame(String message, String payload) {
        return new Frame(
                Frame.Kind.REQUEST,
                7,
                ByteString.copyFromUtf8(message),
                new Payload.Bytes(Unpooled.copiedBuffer(payload, StandardCharsets.UTF_8)),
                42);
    }

    private static FrameMac mac(byte[] key) {
        FrameMac mac = new FrameMac();
        mac.start(key);
        return mac;
    }
}
