package org.beefs.honeybee.fuse;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.io.IOException;
import org.beefs.common.posix.Errno;
import org.beefs.honeybee.fuse.exchange.Device;
import org.beefs.honeybee.fuse.exchange.Exchange;
import org.beefs.honeybee.fuse.exchange.RequestBuffer;
import org.beefs.honeybee.fuse.protocol.Arguments;
import org.beefs.honeybee.fuse.protocol.Protocol;
import org.beefs.honeybee.fuse.protocol.Reply;
import org.beefs.honeybee.mount.MountOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The first exchange on a mount: which protocol and which of its features both sides use. */
final class Negotiation {
    private static final Logger LOG = LoggerFactory.getLogger(Negotiation.class);

    /**
     * Features that are used where the kernel has them. Targets of symbolic links are cached because they never change.
     * Beyond these the kernel's defaults hold: it asks the driver for every byte. Which entries are listed with
     * attributes is decided by {@code OpenDirectories}, and not by the kernel (READDIRPLUS_AUTO). It leaves the umask
     * to the file system, because where there is a default access control list none applies. Asynchronous direct I/O is
     * left out, because its callers cannot be killed while they wait.
     */
    private static final long WANTED = Protocol.INIT_ASYNC_READ
            | Protocol.INIT_POSIX_LOCKS
            | Protocol.INIT_FLOCK_LOCKS
            | Protocol.INIT_ATOMIC_O_TRUNC
            | Protocol.INIT_BIG_WRITES
            | Protocol.INIT_DONT_MASK
            | Protocol.INIT_AUTO_INVAL_DATA
            | Protocol.INIT_DO_READDIRPLUS
            | Protocol.INIT_PARALLEL_DIROPS
            | Protocol.INIT_POSIX_ACL
            | Protocol.INIT_MAX_PAGES
            | Protocol.INIT_CACHE_SYMLINKS
            | Protocol.INIT_HANDLE_KILLPRIV_V2
            | Protocol.INIT_EXT
            | Protocol.INIT_DIRECT_IO_ALLOW_MMAP
            | Protocol.INIT_PASSTHROUGH
            | Protocol.INIT_OVER_IO_URING;

    /** Features without which the file system would not be POSIX's. */
    private static final long NEEDED = Protocol.INIT_ATOMIC_O_TRUNC | Protocol.INIT_MAX_PAGES;

    private final Device device;
    private final MountOptions options;
    private final boolean passthrough;
    private final long unwanted;
    private final RequestBuffer buffer;
    private final Reply.Scratch scratch = new Reply.Scratch();

    /** The number of the request that was received last. */
    private long unique;

    /**
     * A negotiation that is about to begin.
     *
     * @param passthrough whether this process may hand files to the kernel, if that takes them
     * @param rings whether there are rings to be registered as soon as the kernel has taken the answer, without which
     *     no request would come
     */
    Negotiation(Device device, MountOptions options, boolean passthrough, boolean rings, RequestBuffer buffer) {
        this.device = device;
        this.options = options;
        this.passthrough = passthrough;
        this.unwanted = (passthrough ? 0 : Protocol.INIT_PASSTHROUGH) | (rings ? 0 : Protocol.INIT_OVER_IO_URING);
        this.buffer = buffer;
    }

    /**
     * What both sides use.
     *
     * @param minor version of the protocol
     * @param features INIT_…
     */
    record Agreement(int minor, long features) {
        boolean has(long feature) {
            return (features & feature) != 0;
        }
    }

    /** Answers what the kernel asks first. */
    Agreement run() throws IOException {
        Arguments.Init offer = receive();
        if (offer.major() > Protocol.MAJOR) {
            // A kernel of a later protocol is told ours, and asks again in that.
            reply().init(Protocol.NEWEST_MINOR, 0, 0, 1);
            offer = receive();
        }
        if (offer.major() != Protocol.MAJOR || offer.minor() < Protocol.OLDEST_MINOR) {
            throw refuse("its FUSE protocol " + offer.major() + "." + offer.minor() + " is older than " + Protocol.MAJOR
                    + "." + Protocol.OLDEST_MINOR + " (Linux 5.4)");
        }
        long agreed = offer.flags() & WANTED & ~unwanted;
        if ((agreed & NEEDED) != NEEDED) {
            throw refuse("it lacks features that BeeFS needs");
        }
        if ((agreed & Protocol.INIT_DIRECT_IO_ALLOW_MMAP) == 0) {
            LOG.warn(
                    "this kernel is older than Linux 6.6: programs cannot map files of the hive MAP_SHARED, those of this desktop's honeycomb not even to read");
        }
        if (passthrough && (agreed & Protocol.INIT_PASSTHROUGH) == 0) {
            LOG.warn(
                    "this kernel is older than Linux 6.9 or built without FUSE passthrough: contents go through the daemon");
        }
        int minor = Math.min(offer.minor(), Protocol.NEWEST_MINOR);
        if (!reply().init(minor, offer.maxReadahead(), agreed, options.maxBackground())) {
            throw new IOException("the mount ended while it was made");
        }
        LOG.debug("FUSE protocol {}.{}, features {}", offer.major(), minor, Long.toHexString(agreed));
        return new Agreement(minor, agreed);
    }

    private Arguments.Init receive() throws IOException {
        long length = device.read(buffer.memory());
        while (length == -Errno.EINTR.number()) {
            length = device.read(buffer.memory());
        }
        if (length < Exchange.HEADER) {
            throw new IOException("the kernel does not begin the FUSE protocol: errno " + -length);
        }
        unique = buffer.memory().get(JAVA_LONG_UNALIGNED, 8);
        return Arguments.Init.of(buffer.body(length));
    }

    private Reply reply() {
        return new Reply(scratch, device, unique);
    }

    private IOException refuse(String reason) {
        reply().error(Errno.EPROTO);
        return new IOException("this kernel cannot mount a hive: " + reason);
    }
}
