package org.beefs.queenbee.console.model.file;

import com.google.protobuf.ByteString;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.beefs.common.config.Durations;
import org.beefs.common.posix.FileMode;
import org.beefs.common.posix.Timestamps;
import org.beefs.queenbee.console.model.file.FileView.Content;
import org.beefs.queenbee.console.model.file.FileView.Replica;
import org.beefs.queenbee.hive.ReplicaWords;
import org.beefs.queenbee.namespace.Dentry;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.namespace.PackedTime;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.replication.placement.Settings;
import org.jspecify.annotations.Nullable;

/** Makes what people see of inodes. Belongs to the namespace thread. */
public final class FileViews {
    /** Directories above one another that a path names; deeper ones begin with an ellipsis. */
    private static final int MOST_LEVELS = 256;

    private final QueenState state;

    public FileViews(QueenState state) {
        this.state = state;
    }

    /** An inode by one of its names. */
    FileView of(Inode inode) {
        List<Dentry> entries = inode.number() == Namespace.ROOT
                ? List.of()
                : state.namespace().links(inode).stream()
                        .map(link -> link.entry())
                        .limit(1)
                        .toList();
        String path = path(inode);
        return of(inode, entries.isEmpty() ? path : text(entries.getFirst().name()), path);
    }

    /** An entry of the directory with that path. */
    FileView of(Dentry entry, String directory) {
        String name = text(entry.name());
        return of(entry.inode(), name, directory.endsWith("/") ? directory + name : directory + "/" + name);
    }

    private FileView of(Inode inode, String name, String path) {
        return new FileView(
                name,
                path,
                inode.number(),
                type(inode.mode()),
                mode(inode.mode()),
                Integer.toUnsignedLong(inode.uid()),
                Integer.toUnsignedLong(inode.gid()),
                inode.size(),
                inode.links(),
                time(inode.mtime()),
                time(inode.ctime()),
                time(inode.btime()),
                inode.isSymbolicLink() ? new String(inode.target(), StandardCharsets.UTF_8) : null,
                inode.isDirectory() ? inode.directory().size() : null,
                inode.isRegular() ? content(inode) : null,
                inode.isRegular() || inode.isDirectory() ? settings(inode) : null);
    }

    /** One of its paths; of what has no name its number. */
    public String path(Inode inode) {
        if (inode.number() == Namespace.ROOT) {
            return "/";
        }
        Deque<String> names = new ArrayDeque<>();
        Inode at = inode;
        while (at.number() != Namespace.ROOT && names.size() < MOST_LEVELS) {
            var links = state.namespace().links(at);
            if (links.isEmpty()) {
                return "inode " + inode.number();
            }
            names.addFirst(text(links.getFirst().entry().name()));
            at = links.getFirst().parent();
        }
        return (at.number() == Namespace.ROOT ? "/" : ".../") + String.join("/", names);
    }

    /** The directories on one of its paths, the root first; none of what has no name. */
    List<Above> above(Inode inode) {
        Deque<Above> above = new ArrayDeque<>();
        Inode at = inode;
        while (at.number() != Namespace.ROOT && above.size() < MOST_LEVELS) {
            var links = state.namespace().links(at);
            if (links.isEmpty()) {
                return List.of();
            }
            at = links.getFirst().parent();
            above.addFirst(new Above(at.number(), name(at)));
        }
        return List.copyOf(above);
    }

    private String name(Inode directory) {
        return directory.number() == Namespace.ROOT
                ? ""
                : text(state.namespace().links(directory).getFirst().entry().name());
    }

    private Content content(Inode inode) {
        List<Replica> replicas = ReplicaWords.of(state.honeycombs(), inode).stream()
                .map(words ->
                        new Replica(words.desktop(), words.kind(), words.version(), words.state(), words.presence()))
                .toList();
        return new Content(inode.version(), inode.epoch(), inode.dirty(), replicas);
    }

    private FileView.Settings settings(Inode inode) {
        Settings settings = state.replication().settings();
        return new FileView.Settings(
                settings.replicas(inode),
                Durations.format(settings.timeToCoherence(inode)),
                settings.pFactor(inode),
                inode.replication().own());
    }

    private static String type(int mode) {
        return switch (mode & FileMode.TYPE_MASK) {
            case FileMode.REGULAR -> "file";
            case FileMode.DIRECTORY -> "directory";
            case FileMode.SYMBOLIC_LINK -> "link";
            case FileMode.FIFO -> "fifo";
            case FileMode.SOCKET -> "socket";
            default -> "device";
        };
    }

    static String mode(int mode) {
        char[] shown = "?rwxrwxrwx".toCharArray();
        shown[0] = switch (mode & FileMode.TYPE_MASK) {
            case FileMode.REGULAR -> '-';
            case FileMode.DIRECTORY -> 'd';
            case FileMode.SYMBOLIC_LINK -> 'l';
            case FileMode.FIFO -> 'p';
            case FileMode.SOCKET -> 's';
            case FileMode.BLOCK_DEVICE -> 'b';
            default -> 'c';
        };
        for (int bit = 0; bit < 9; bit++) {
            if (((mode >> (8 - bit)) & 1) == 0) {
                shown[1 + bit] = '-';
            }
        }
        mark(shown, 3, (mode & FileMode.SET_UID) != 0, 's');
        mark(shown, 6, (mode & FileMode.SET_GID) != 0, 's');
        mark(shown, 9, (mode & FileMode.STICKY) != 0, 't');
        return new String(shown);
    }

    private static void mark(char[] shown, int at, boolean set, char mark) {
        if (set) {
            shown[at] = shown[at] == '-' ? Character.toUpperCase(mark) : mark;
        }
    }

    private static String time(long packed) {
        return Timestamps.toInstant(PackedTime.toWire(packed)).toString();
    }

    private static String text(@Nullable ByteString name) {
        return name == null ? "" : name.toStringUtf8();
    }
}
