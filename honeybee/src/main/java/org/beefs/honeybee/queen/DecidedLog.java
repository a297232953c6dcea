package org.beefs.honeybee.queen;

import com.google.protobuf.InvalidProtocolBufferException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.beefs.common.file.DamagedFile;
import org.beefs.common.linux.MachineStart;
import org.beefs.common.wire.QueenRequest;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what was decided on this desktop, and was not answered, for the daemon's next process, should this one be
 * killed. It lies in a mapped file, so that adding is a copy in memory: a page that names the machine's start, then
 * slots of {@link #SLOT} bytes with a request's number, its length, and the request. A slot of length 0 is free; the
 * length is written last. Thread-safe.
 *
 * <p>After another start of the machine what the file holds is not believed: some of it may have been answered and
 * removed, and that not have reached the disk. What counts across a loss of power is what was synced.
 */
public final class DecidedLog {
    /** Requests that it takes at a time; besides it holds as many of the former process. */
    static final int MOST = 256;

    private static final Logger LOG = LoggerFactory.getLogger(DecidedLog.class);
    private static final int PLACES_OF_ONE = 3;
    private static final int HEADER = 4096;
    private static final int SLOT = 2048;
    private static final int SLOTS = 2 * MOST;
    private static final int LENGTH = Long.BYTES;
    private static final int REQUEST = LENGTH + Integer.BYTES;

    /** Bytes of the largest request that it takes. */
    static final int LARGEST = SLOT - REQUEST;

    /** Bytes of the whole log. */
    public static final int BYTES = HEADER + SLOTS * SLOT;

    // Guarded by this.
    private final ByteBuffer memory;

    /**
     * Free slots, the last one that became free first: each sync of the disk makes pages clean, and the first write to
     * a clean one takes the kernel long.
     */
    private final Deque<Integer> free = new ArrayDeque<>();

    private final Map<Long, Integer> used = new HashMap<>();
    private final TreeMap<Long, Integer> former = new TreeMap<>();
    private boolean failed;

    /**
     * Takes over what a former process has left there.
     *
     * @param memory of {@link #BYTES} bytes, all 0 at first, that outlives the process
     * @param machineStart what no two starts of the machine have in common, nor two mountings of the file's disk, of at
     *     most 4096 bytes
     */
    public DecidedLog(ByteBuffer memory, String machineStart) {
        this(memory, machineStart, true);
    }

    /**
     * @param hasBlocks whether all of the memory can be written; otherwise only what a former process has written there
     */
    private DecidedLog(ByteBuffer memory, String machineStart, boolean hasBlocks) {
        this.memory = memory;
        byte[] page = ByteBuffer.allocate(HEADER)
                .put(machineStart.getBytes(StandardCharsets.UTF_8))
                .array();
        findFormer(machineStart);
        if (hasBlocks) {
            freeOthers();
            write(() -> memory.put(0, page));
        }
    }

    /**
     * Opens a file, or makes it. With a disk that is too full for it nothing more can be added than what a former
     * process had. A file that the disk does not give back any more is kept aside, and a new one made.
     */
    public static DecidedLog open(Path path, String machineStart) throws IOException {
        String damage = damageOf(path);
        if (damage != null) {
            DamagedFile.moveAside(path, damage);
        }
        try (FileChannel channel = openFile(path)) {
            boolean hasBlocks = allocate(path, channel, read(channel));
            return new DecidedLog(channel.map(MapMode.READ_WRITE, 0, BYTES), machineStart, hasBlocks);
        }
    }

    /** Why what a file has cannot be read; null when it can. */
    private static @Nullable String damageOf(Path path) throws IOException {
        try (FileChannel channel = openFile(path)) {
            return damageOf(channel);
        }
    }

    static @Nullable String damageOf(FileChannel channel) throws ClosedByInterruptException {
        try {
            read(channel);
            return null;
        } catch (ClosedByInterruptException e) {
            throw e;
        } catch (IOException e) {
            return "it cannot be read: " + e.getMessage();
        }
    }

    private static FileChannel openFile(Path path) throws IOException {
        return FileChannel.open(
                path,
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS);
    }

    /** Who touches a page of a mapping that cannot be read is ended by the kernel. */
    private static ByteBuffer read(FileChannel channel) throws IOException {
        ByteBuffer content = ByteBuffer.allocate(BYTES);
        for (int read = 0; read >= 0 && content.hasRemaining(); ) {
            read = channel.read(content, content.position());
        }
        return content.clear();
    }

    /** Writing to a mapped page for which the disk has no block would fail in the middle of a change. */
    private static boolean allocate(Path path, FileChannel channel, ByteBuffer content) {
        try {
            while (content.hasRemaining()) {
                channel.write(content, content.position());
            }
            return true;
        } catch (IOException full) {
            warn("there is no room for " + path, full);
            return false;
        }
    }

    private void findFormer(String machineStart) {
        byte[] page = new byte[HEADER];
        memory.get(0, page);
        String last = new String(page, StandardCharsets.UTF_8).replace("\0", "");
        if (!MachineStart.isSame(last, machineStart)) {
            return;
        }
        for (int slot = 0; slot < SLOTS; slot++) {
            int length = memory.getInt(at(slot) + LENGTH);
            if (length > 0 && length <= LARGEST) {
                former.put(memory.getLong(at(slot)), slot);
            }
        }
    }

    private void freeOthers() {
        Set<Integer> kept = Set.copyOf(former.values());
        for (int slot = 0; slot < SLOTS; slot++) {
            if (!kept.contains(slot)) {
                free(slot);
            }
        }
    }

    /** Whether one more change can be added. Each may be here a second time for a moment, and the one before it too. */
    synchronized boolean hasRoom() {
        return !failed && free.size() >= PLACES_OF_ONE;
    }

    /**
     * The request is safe from the process's death from now on, unless the disk fails: then there is no room for
     * others.
     *
     * @param number above those that were added before
     */
    synchronized void add(long number, QueenRequest request) {
        Integer slot = free.poll();
        byte[] encoded = request.toByteArray();
        if (slot == null || encoded.length > LARGEST) {
            throw new IllegalStateException("more, or larger ones, than may be decided");
        }
        used.put(number, slot);
        write(() -> {
            memory.putLong(at(slot), number);
            memory.put(at(slot) + REQUEST, encoded);
            memory.putInt(at(slot) + LENGTH, encoded.length);
        });
    }

    /** A request was answered. */
    synchronized void remove(long number) {
        Integer slot = used.remove(number);
        if (slot != null) {
            free(slot);
        }
    }

    /** What the former process has left, in its order. */
    synchronized List<QueenRequest> left() {
        List<QueenRequest> left = new ArrayList<>();
        for (int slot : former.values()) {
            try {
                left.add(QueenRequest.parseFrom(memory.slice(at(slot) + REQUEST, memory.getInt(at(slot) + LENGTH))));
            } catch (InvalidProtocolBufferException damaged) {
                // The rest is what it can give.
            }
        }
        return left;
    }

    /** The queen-bee has what was left. */
    synchronized void forgetLeft() {
        former.values().forEach(this::free);
        former.clear();
    }

    private void free(int slot) {
        write(() -> memory.putInt(at(slot) + LENGTH, 0));
        free.push(slot);
    }

    /**
     * Changes the memory. To a page of a file whose disk has become read-only, or is broken, nothing can be written,
     * which the JVM says by an error.
     */
    private void write(Runnable change) {
        try {
            change.run();
        } catch (InternalError fault) {
            if (!failed) {
                warn("the disk with its folder takes no more", fault);
            }
            failed = true;
        }
    }

    private static void warn(String trouble, Throwable cause) {
        LOG.warn(
                "names are made and removed more slowly until this daemon starts again: {}: {}",
                trouble,
                cause.getMessage());
    }

    private static int at(int slot) {
        return HEADER + slot * SLOT;
    }
}
