package org.beefs.honeycomb.state;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.random.RandomGenerator;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Which honeycomb a folder is. By UUID and boot counter the queen-bee recognises a folder that was copied, swapped or rolled
 * back. Kept as JSON, because people look at it.
 *
 * @param format of the folder; a newer one than {@link #FORMAT} is refused
 * @param uuid made with the folder
 * @param boot how often a daemon has started on the folder
 */
public record Identity(int format, UUID uuid, long boot) {
    /** Format of the folder that this program writes. Whatever an older program would misread raises it. */
    public static final int FORMAT = 1;

    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** A new folder, before its first start. */
    public static Identity create(RandomGenerator random) {
        long version4 = (random.nextLong() & ~0xF000L) | 0x4000L;
        long variant2 = (random.nextLong() & ~(0b11L << 62)) | (0b10L << 62);
        return new Identity(FORMAT, new UUID(version4, variant2), 0);
    }

    public static Identity decode(byte[] json) throws IOException {
        Identity identity;
        try {
            identity = JSON.readValue(json, Identity.class);
        } catch (JacksonException e) {
            throw new IOException(
                    "the honeycomb's honeycomb.json cannot be read; write it again with its uuid and a boot not below its last:"
                            + " without it, the hive does not know this honeycomb again (" + e.getOriginalMessage()
                            + ")",
                    e);
        }
        if (identity.format > FORMAT) {
            throw new IOException("the folder was written by a newer BeeFS (format %d; this program knows %d)"
                    .formatted(identity.format, FORMAT));
        }
        return identity;
    }

    public byte[] encode() {
        return JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(this);
    }

    /** The folder at its next start. */
    public Identity nextBoot() {
        return new Identity(format, uuid, boot + 1);
    }

    /** The UUID as messages carry it: 16 bytes, most significant first. */
    public ByteString uuidBytes() {
        ByteBuffer bytes = ByteBuffer.allocate(16);
        bytes.putLong(uuid.getMostSignificantBits())
                .putLong(uuid.getLeastSignificantBits())
                .flip();
        return ByteString.copyFrom(bytes);
    }
}
