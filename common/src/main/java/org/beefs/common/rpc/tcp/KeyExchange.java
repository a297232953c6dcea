package org.beefs.common.rpc.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.List;
import org.beefs.common.rpc.Frame;
import org.beefs.common.rpc.KeyMismatchException;
import org.beefs.common.rpc.Payload;
import org.beefs.common.wire.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * Lets a connection begin when both sides have shown that they have the {@link HiveKey}: mutual authentication with a
 * keyed hash of both sides' random numbers (ISO/IEC 9798-4, 5.2.2). Each side sends
 *
 * <pre>
 *  0  magic, 0xBEE0F54C
 *  4  its random number (32 bytes)
 * </pre>
 *
 * and, when it has the other's, the proof: HMAC-SHA256 of its side (1 byte: 1 who has connected, 2 who was connected
 * to), its own number and the other's. The side is in it so that a proof cannot be sent back to who has made it.
 * Whoever has passed on the proofs of others has shown nothing by that; therefore each frame afterwards has a
 * {@link FrameMac}, whose keys are made here. Fails with {@link KeyMismatchException} and a sentence for people.
 */
final class KeyExchange extends ByteToMessageDecoder {
    /** The answer that a process without a key gives to the other side's wish for one. */
    static final Frame REFUSAL = new Frame(
            Frame.Kind.REFUSAL,
            0,
            Refusal.newBuilder()
                    .setReason("it wants the key of its hive, and this process has none (%s)".formatted(HiveKey.FILE))
                    .build()
                    .toByteString(),
            Payload.NONE);

    private static final int MAGIC = 0xBEE0F54C;

    /** Of protocol 3, whose frames had no code. */
    private static final int FORMER_MAGIC = 0xBEE0F54B;

    /** What the keys of the codes are made of begins with this, and no proof does. */
    private static final byte[] LABEL = "BeeFS frames".getBytes(StandardCharsets.US_ASCII);

    private static final int NUMBER_BYTES = 32;
    private static final int PROOF_BYTES = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final HiveKey key;
    private final byte[] side;
    private final byte[] otherSide;
    private final byte[] number = new byte[NUMBER_BYTES];
    private final FrameMac sent = new FrameMac();
    private final FrameMac received = new FrameMac();
    private byte @Nullable [] otherNumber;
    private boolean failed;

    /** @param connects whether this is the side that has connected */
    KeyExchange(HiveKey key, boolean connects) {
        this.key = key;
        this.side = new byte[] {(byte) (connects ? 1 : 2)};
        this.otherSide = new byte[] {(byte) (connects ? 2 : 1)};
        RANDOM.nextBytes(number);
    }

    /** For the frames that this side sends, once the exchange is over. */
    FrameMac sent() {
        return sent;
    }

    /** For the frames that this side receives, once the exchange is over. */
    FrameMac received() {
        return received;
    }

    /** Whether this is how the other side begins that wants a key. */
    static boolean isWanted(ByteBuf in) {
        return in.readableBytes() >= Integer.BYTES && in.getInt(in.readerIndex()) == MAGIC;
    }

    /**
     * Begins the exchange, and does not pass the event on: whoever waits for the connection hears of it when the
     * exchange is over.
     */
    @Override
    public void channelActive(ChannelHandlerContext context) {
        ByteBuf challenge = context.alloc().buffer(Integer.BYTES + NUMBER_BYTES);
        context.writeAndFlush(challenge.writeInt(MAGIC).writeBytes(number));
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (failed) {
            in.skipBytes(in.readableBytes());
        } else if (otherNumber == null) {
            readChallenge(context, in);
        } else if (in.readableBytes() >= PROOF_BYTES) {
            check(otherNumber, ByteBufUtil.getBytes(in.readSlice(PROOF_BYTES)));
            sent.start(macKey(side, otherNumber));
            received.start(macKey(otherSide, otherNumber));
            context.fireChannelActive();
            context.pipeline().remove(this); // hands on what has come already
        }
    }

    private void readChallenge(ChannelHandlerContext context, ByteBuf in) {
        if (in.readableBytes() >= Integer.BYTES && in.getInt(in.readerIndex()) == FORMER_MAGIC) {
            throw failure("it speaks an older BeeFS protocol: install the same version on both machines");
        }
        if (in.readableBytes() >= Integer.BYTES && !isWanted(in)) {
            throw failure("it does not use the key of this hive (%s)".formatted(HiveKey.FILE));
        }
        if (in.readableBytes() >= Integer.BYTES + NUMBER_BYTES) {
            byte[] theirs = ByteBufUtil.getBytes(in.skipBytes(Integer.BYTES).readSlice(NUMBER_BYTES));
            otherNumber = theirs;
            context.writeAndFlush(context.alloc().buffer(PROOF_BYTES).writeBytes(key.proof(side, number, theirs)));
        }
    }

    private void check(byte[] theirs, byte[] proof) {
        if (!MessageDigest.isEqual(proof, key.proof(otherSide, theirs, number))) {
            throw failure("it has another key than this hive (%s)".formatted(HiveKey.FILE));
        }
    }

    /** For the frames of that side: both numbers are in it, so that it is of this connection only. */
    private byte[] macKey(byte[] sender, byte[] theirs) {
        boolean connects = side[0] == 1;
        return key.proof(LABEL, sender, connects ? number : theirs, connects ? theirs : number);
    }

    private KeyMismatchException failure(String reason) {
        failed = true;
        return new KeyMismatchException(reason);
    }
}
