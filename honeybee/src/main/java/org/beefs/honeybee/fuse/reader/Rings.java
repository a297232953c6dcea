package org.beefs.honeybee.fuse.reader;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.beefs.common.linux.IoUring;
import org.beefs.common.linux.Processors;
import org.beefs.honeybee.fuse.exchange.BufferPool;
import org.beefs.honeybee.fuse.exchange.Connection;
import org.beefs.honeybee.fuse.exchange.Device;
import org.beefs.honeybee.fuse.operations.Dispatcher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rings for one mount, one for each processor that there may be. They are made before it, because a kernel that was
 * promised rings hands out no request before it has them all.
 */
public final class Rings implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Rings.class);

    /**
     * The file that says whether rings are allowed, for the whole machine until it is restarted; looked at when a file
     * system is mounted.
     */
    private static final Path ALLOWED = Path.of("/sys/module/fuse/parameters/enable_uring");

    private final List<IoUring> rings;

    private Rings(List<IoUring> rings) {
        this.rings = rings;
    }

    /**
     * Makes the rings if they are wanted, else none.
     *
     * @throws IOException with a sentence for the user, if there can be none
     */
    public static Rings open(boolean wanted) throws IOException {
        return open(wanted, ALLOWED);
    }

    /** As {@link #open(boolean)}, where that file says whether there may be some. */
    static Rings open(boolean wanted, Path allowed) throws IOException {
        if (!wanted) {
            return new Rings(List.of());
        }
        allow(allowed);
        return new Rings(create(Processors.possible()));
    }

    private static void allow(Path allowed) throws IOException {
        if (!Files.exists(allowed)) {
            throw new IOException("this kernel is older than Linux 6.14 or built without FUSE over io_uring");
        }
        if (Files.readString(allowed).startsWith("Y")) {
            return;
        }
        try {
            Files.writeString(allowed, "Y");
        } catch (IOException refused) {
            throw new IOException(
                    "FUSE over io_uring is not allowed on this machine: " + allowed
                            + " is N and cannot be changed here (" + refused + ")",
                    refused);
        }
        LOG.info("{} is set to Y: FUSE over io_uring is allowed on this machine until it is restarted", allowed);
    }

    private static List<IoUring> create(int number) throws IOException {
        List<IoUring> rings = new ArrayList<>();
        try {
            while (rings.size() < number) {
                rings.add(RingReader.newRing());
            }
            return rings;
        } finally {
            if (rings.size() < number) {
                rings.forEach(IoUring::close);
            }
        }
    }

    /** How many there are; for tests. */
    int size() {
        return rings.size();
    }

    public boolean isEmpty() {
        return rings.isEmpty();
    }

    /** Fails if the kernel does not take what there is. */
    public void requireTaken(boolean taken) throws IOException {
        if (!taken && !isEmpty()) {
            throw new IOException("the kernel does not offer FUSE over io_uring for this mount");
        }
    }

    /** Readers of the rings, which close them; each holds the device. */
    public List<RingReader> readers(Device device, Connection connection, Dispatcher dispatcher, BufferPool buffers) {
        List<RingReader> readers = new ArrayList<>();
        for (IoUring ring : rings) {
            device.hold();
            readers.add(new RingReader(readers.size(), ring, device, connection, dispatcher, buffers));
        }
        return readers;
    }

    @Override
    public void close() {
        rings.forEach(IoUring::close);
    }
}
