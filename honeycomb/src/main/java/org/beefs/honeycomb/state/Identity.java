package org.beefs.honeycomb.state;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.beefs.common.linux.MachineStart;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The identity of a honeycomb's folder. By UUID, boot counter and earlier starts the queen-bee recognises a folder that
 * was copied, swapped or rolled back, also when it was started since until its counter had caught up. Kept as JSON,
 * because people look at it.
 *
 * @param format of the folder; a newer one than {@link #FORMAT} is refused
 * @param uuid made with the folder
 * @param boot how often a daemon has started on the folder
 * @param starts the last ones, oldest first; folders of older programs have none
 * @param machine the start of the machine, and mounting of the folder's file system, that the folder was last in order
 *     in; null of older programs
 * @param afterLoss as {@link Boot#afterLoss}; null when there was none
 */
public record Identity(
        int format,
        UUID uuid,
        long boot,
        List<Start> starts,
        @Nullable String machine,
        @Nullable Long afterLoss) {
    /** Format of the folder that this program writes. Whatever an older program would misread raises it. */
    public static final int FORMAT = 1;

    /** Starts that are remembered. */
    static final int MOST_STARTS = 100;

    private static final JsonMapper JSON = JsonMapper.builder().build();

    public Identity {
        starts = starts == null ? List.of() : List.copyOf(starts);
    }

    /** A new folder, before its first start. */
    public static Identity create(RandomGenerator random) {
        long version4 = (random.nextLong() & ~0xF000L) | 0x4000L;
        long variant2 = (random.nextLong() & ~(0b11L << 62)) | (0b10L << 62);
        return new Identity(FORMAT, new UUID(version4, variant2), 0, List.of(), null, null);
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

    /**
     * The folder at its next start, which is of this program's format from then on.
     *
     * @param complete up to which journal sequence its catalog is complete
     */
    public Identity nextBoot(Instant now, long complete) {
        List<Start> all = new ArrayList<>(starts);
        long at = nanos(now);
        all.add(new Start(boot + 1, at, complete, at));
        if (all.size() > MOST_STARTS) {
            all.remove(mostUseless(all));
        }
        return new Identity(FORMAT, uuid, boot + 1, all, machine, afterLoss);
    }

    /** The folder after it was marked as in use: copies that were made before do not have the mark. */
    public Identity marked(Instant now) {
        List<Start> all = new ArrayList<>(starts);
        all.add(all.removeLast().markedAt(nanos(now)));
        return new Identity(format, uuid, boot, all, machine, afterLoss);
    }

    /** When the folder was last marked as in use, in nanoseconds since 1970. */
    public long lastMark() {
        Long marked = starts.getLast().marked();
        return marked == null ? 0 : marked;
    }

    private static long nanos(Instant time) {
        return time.getEpochSecond() * 1_000_000_000 + time.getNano();
    }

    /**
     * Whether the machine has run since the folder was in order in it, so that all that was written is there, synced or
     * not.
     */
    public boolean hasRunIn(String machineStart) {
        return machine != null && MachineStart.isSame(machine, machineStart);
    }

    /** The identity of a folder that is in order in this start of the machine. */
    public Identity in(String machineStart) {
        return new Identity(format, uuid, boot, starts, machineStart, afterLoss);
    }

    /** The identity when the machine had lost its power before this boot. */
    public Identity losing() {
        return new Identity(format, uuid, boot, starts, machine, boot);
    }

    /** This start. */
    public Boot present() {
        return new Boot(boot, afterLoss == null ? 0 : afterLoss);
    }

    /**
     * The index of the start that is of least use. The queen-bee knows no start after which nothing came from her: such
     * starts must not push out the others.
     */
    private static int mostUseless(List<Start> starts) {
        for (int i = 0; i + 1 < starts.size(); i++) {
            if (starts.get(i).complete() == starts.get(i + 1).complete()) {
                return i;
            }
        }
        return 0;
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
