package org.beefs.honeybee.trace;

import com.google.protobuf.ByteString;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.beefs.common.wire.Attributes;
import org.beefs.honeybee.filesystem.FileSystem;
import org.jspecify.annotations.Nullable;

/**
 * The calls that concern a path: those about the file or directory itself, about anything below it, and those that look
 * for the names on the way to it. Kernels ask by inode, so it has to learn which inodes these are: from the queen-bee,
 * from what this desktop knows when the trace begins, and from the calls' own results. As long as an inode is not
 * known, because the queen-bee is away, its name counts wherever it is looked for. What programs have open, and this
 * desktop has forgotten the name of, is missed. Thread-safe.
 */
final class PathFilter implements Filter {
    /** Files below the path that are known; calls about others are missed. */
    private static final int MOST = 65_536;

    private static final long UNKNOWN = 0;

    private final List<ByteString> path;
    private final Names names;

    /**
     * Inodes of what comes before the name at each place in the path; the last is the traced one's. Guarded by this.
     */
    private final long[] inodes;

    /** The paths of what is traced, by inode. */
    private final Map<Long, String> below = new ConcurrentHashMap<>();

    private final AtomicBoolean asking = new AtomicBoolean();

    PathFilter(List<ByteString> path, Names names) {
        this.path = List.copyOf(path);
        this.names = names;
        this.inodes = new long[path.size() + 1];
        this.inodes[0] = FileSystem.ROOT;
        if (path.isEmpty()) {
            found(FileSystem.ROOT);
        }
    }

    /** Asks for the next name on the way that is not known, and so on. Called now and then. */
    void ask() {
        int next = firstUnknown();
        if (next <= path.size() && asking.compareAndSet(false, true)) {
            names.inode(inode(next - 1), path.get(next - 1)).whenComplete((inode, failure) -> {
                asking.set(false);
                if (failure == null) {
                    onTheWay(next, inode);
                    ask();
                }
            });
        }
    }

    @Override
    public boolean concerns(Call call) {
        return below.containsKey(call.inode()) || (call.name() != null && isOnTheWay(call.inode(), call.name()));
    }

    @Override
    public void learn(Call call, @Nullable Object value) {
        ByteString name = call.name();
        long inode = inodeOf(value);
        if (name == null || inode == UNKNOWN) {
            return;
        }
        for (int i = 0; i < path.size(); i++) {
            if (inode(i) == call.inode() && path.get(i).equals(name)) {
                onTheWay(i + 1, inode);
            }
        }
        String parent = below.get(call.inode());
        if (parent != null) {
            add(inode, child(parent, name));
        }
    }

    @Override
    public @Nullable String pathOf(Call call) {
        String known = below.get(call.inode());
        return known == null || call.name() == null ? known : child(known, call.name());
    }

    private synchronized long inode(int place) {
        return inodes[place];
    }

    private synchronized int firstUnknown() {
        int place = 0;
        while (place < inodes.length && inodes[place] != UNKNOWN) {
            place++;
        }
        return place;
    }

    private boolean isOnTheWay(long directory, ByteString name) {
        for (int i = 0; i < path.size(); i++) {
            long parent = inode(i);
            if (path.get(i).equals(name) && (parent == directory || parent == UNKNOWN)) {
                return true;
            }
        }
        return false;
    }

    /** The name may have got another inode since it was learnt; then all names behind it may have too. */
    private void onTheWay(int place, long inode) {
        synchronized (this) {
            if (inodes[place] == inode) {
                return;
            }
            Arrays.fill(inodes, place, inodes.length, UNKNOWN);
            inodes[place] = inode;
        }
        if (place == path.size()) {
            found(inode);
        }
    }

    /** The path leads to this inode: it is traced, and all below it that this desktop knows. */
    private void found(long inode) {
        add(inode, "");
        Queue<Long> directories = new ArrayDeque<>(List.of(inode));
        for (Long directory = directories.poll(); directory != null; directory = directories.poll()) {
            String parent = below.getOrDefault(directory, "");
            for (Map.Entry<ByteString, Long> child : names.known(directory)) {
                if (add(child.getValue(), child(parent, child.getKey()))) {
                    directories.add(child.getValue());
                }
            }
        }
    }

    private boolean add(long inode, String known) {
        return below.size() < MOST && !known.equals(below.put(inode, known));
    }

    private static String child(String parent, ByteString name) {
        return parent.isEmpty() ? name.toStringUtf8() : parent + "/" + name.toStringUtf8();
    }

    private static long inodeOf(@Nullable Object value) {
        return switch (value) {
            case Attributes attributes -> attributes.getInode();
            case FileSystem.OpenedFile opened -> opened.attributes().getInode();
            case null, default -> UNKNOWN;
        };
    }
}
