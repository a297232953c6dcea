package org.beefs.honeybee.mount;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.beefs.common.linux.Libc;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.Clock;
import org.beefs.common.wire.Credentials;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads {@code /proc/PID/status} and {@code /proc/PID/stat}. The kernel's numbers are those of threads, and /proc has
 * an entry for each thread, though it lists only processes. A thread's name stands first in the file, with line ends in
 * it escaped, so it cannot pretend to be another line.
 *
 * <p>Nothing is known of a thread that is there and cannot be looked at: because this process or the system has no
 * descriptor or memory left, or because /proc hides other users' threads (hidepid). It counts as alive then, and is not
 * told to have no groups: what it asks for fails.
 */
public final class ProcCallers implements Callers {
    private static final int O_RDONLY_CLOEXEC = 02000000;
    private static final int PIECE = 4096;
    /** Room for 65,536 groups, the kernel's bound, in ten digits each. */
    private static final int MOST = 1 << 20;

    private static final int NO_SIGNAL = 0;
    private static final long SIGKILL = 1L << (9 - 1);

    /** Place of the kernel's flags, counted from the thread's state, and the one that exit(2) sets. */
    private static final int FLAGS = 6;

    private static final int PF_EXITING = 4;

    /** How long the log is silent after a line about that. */
    private static final long SILENCE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final Logger LOG = LoggerFactory.getLogger(ProcCallers.class);

    private final Clock clock;
    private final Opener opener;

    /** The log is not told again before then, by the boot clock. */
    private final AtomicLong silentUntil = new AtomicLong(Long.MIN_VALUE);

    /** Whether the log has been told of callers that cannot be seen; once for each mount. */
    private final AtomicBoolean toldOfUnseen = new AtomicBoolean();

    /**
     * Memory for the name of a file, and then for what is in it; one for each thread. Few threads ask: readers, and
     * timers.
     */
    private final ThreadLocal<MemorySegment> memories =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(PIECE));

    /** As open(2): a descriptor, or a negative errno. */
    @FunctionalInterface
    interface Opener {
        int open(MemorySegment path, int flags, int mode);
    }

    public ProcCallers(Clock clock) {
        this(clock, Libc::open);
    }

    ProcCallers(Clock clock, Opener opener) {
        this.clock = clock;
        this.opener = opener;
    }

    /** Fails with ENFILE when the groups cannot be looked for now. */
    @Override
    public Credentials credentials(int uid, int gid, int pid) {
        Credentials.Builder credentials = Credentials.newBuilder().setUid(uid).setGid(gid);
        if (uid != 0 && pid != UNSEEN) {
            credentials.addAllGroups(groups(status(pid).orElseThrow(this::exhausted)));
        } else if (uid != 0 && toldOfUnseen.compareAndSet(false, true)) {
            LOG.warn("programs outside of this container use its mount: what only their further groups allow is"
                    + " refused to them; give the container the host's pid namespace (pid: host)");
        }
        return credentials.build();
    }

    @Override
    public State state(int pid) {
        return pid == UNSEEN ? State.ALIVE : status(pid).map(ProcCallers::state).orElse(State.ALIVE);
    }

    @Override
    public boolean isExiting(int pid) {
        return pid != UNSEEN && read(pid, "stat").filter(ProcCallers::isExiting).isPresent();
    }

    /**
     * Whether this line of {@code stat} tells of a thread that is on its way out. Its name, in parentheses, may hold
     * anything; its end is the last of them.
     */
    static boolean isExiting(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
        return fields.length > FLAGS && (Long.parseLong(fields[FLAGS]) & PF_EXITING) != 0;
    }

    /** The supplementary groups in a {@code status}; none when it has no such line. */
    static List<Integer> groups(String status) {
        List<Integer> groups = new ArrayList<>();
        for (String group : line(status, "Groups:").split(" ", -1)) {
            if (!group.isBlank()) {
                groups.add(Integer.parseUnsignedInt(group.strip()));
            }
        }
        return groups;
    }

    /** How the thread of this {@code status} is; an empty one means that there is no such thread. */
    static State state(String status) {
        if (status.isEmpty()) {
            return State.GONE;
        }
        long pending = signals(status, "SigPnd:") | signals(status, "ShdPnd:");
        return (pending & SIGKILL) == 0 ? State.ALIVE : State.BEING_KILLED;
    }

    private static long signals(String status, String name) {
        String mask = line(status, name).strip();
        return mask.isEmpty() ? 0 : Long.parseUnsignedLong(mask, 16);
    }

    private static String line(String status, String name) {
        int start = status.indexOf("\n" + name);
        if (start < 0) {
            return "";
        }
        int end = status.indexOf('\n', start + 1);
        return status.substring(start + 1 + name.length(), end < 0 ? status.length() : end);
    }

    private PosixException exhausted() {
        long now = clock.bootNanos();
        long silent = silentUntil.get();
        if (now >= silent && silentUntil.compareAndSet(silent, now + SILENCE_NANOS)) {
            LOG.warn("programs get ENFILE, because it cannot be found out now which groups they belong to");
        }
        return new PosixException(Errno.ENFILE, "it cannot be found out now which groups the caller belongs to");
    }

    private Optional<String> status(int pid) {
        return read(pid, "status");
    }

    /** The whole file, without content when there is no such thread; nothing when it cannot be looked at. */
    private Optional<String> read(int pid, String file) {
        MemorySegment memory = memories.get();
        memory.setString(0, "/proc/" + Integer.toUnsignedString(pid) + "/" + file, ISO_8859_1);
        int descriptor = opener.open(memory, O_RDONLY_CLOEXEC, 0);
        if (descriptor < 0) {
            return isGone(pid) ? Optional.of("") : Optional.empty();
        }
        try {
            return Optional.of(readAll(descriptor, memory));
        } finally {
            Libc.close(descriptor);
        }
    }

    /** Asks the kernel itself, which knows processes and their threads, and sends nothing. */
    private static boolean isGone(int pid) {
        return Libc.kill(pid, NO_SIGNAL) == -Errno.ESRCH.number();
    }

    /**
     * The kernel makes such a file as a whole and hands out as much of it as it is asked for, so less than that is its
     * end.
     */
    private static String readAll(int descriptor, MemorySegment memory) {
        String all = "";
        long length = PIECE;
        while (length == PIECE && all.length() < MOST) {
            do {
                length = Libc.read(descriptor, memory, PIECE);
            } while (length == -Errno.EINTR.number());
            all = length > 0 ? all.concat(text(memory, (int) length)) : all;
        }
        return all;
    }

    private static String text(MemorySegment memory, int length) {
        byte[] bytes = new byte[length];
        MemorySegment.copy(memory, JAVA_BYTE, 0, bytes, 0, length);
        return new String(bytes, ISO_8859_1);
    }
}
