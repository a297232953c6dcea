package org.beefs.queenbee.namespace;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.beefs.common.posix.FileMode;
import org.jspecify.annotations.Nullable;

/** Gives names in {@code /lost+found} to what has none, of its number and its last path. Not thread-safe. */
public final class LostAndFound {
    private static final ByteString NAME = ByteString.copyFromUtf8("lost+found");
    private static final int MAX_NAME = 255;

    private final LongSupplier numbers;
    private final long now;
    private final List<String> taken = new ArrayList<>();
    private @Nullable Inode directory;

    /**
     * @param numbers for new inodes
     * @param now packed, the time of what is made
     */
    public LostAndFound(LongSupplier numbers, long now) {
        this.numbers = numbers;
        this.now = now;
    }

    /** The names that were given. */
    public List<String> taken() {
        return taken;
    }

    void take(Namespace namespace, Inode inode, String lastPath) {
        Inode into = directoryIn(namespace);
        // A slash cannot be in a name; the end of a long path says more than its beginning.
        String number = Long.toHexString(inode.number);
        ByteString path = ByteString.copyFromUtf8(lastPath.replace('/', '%'));
        int room = MAX_NAME - number.length() - 1;
        ByteString name = ByteString.copyFromUtf8(number + " ").concat(path.substring(Math.max(0, path.size() - room)));
        name(namespace, into, name, inode);
        taken.add(name.toStringUtf8());
    }

    Inode directory(long number) {
        int permissions = number == Namespace.ROOT ? 0755 : 0700;
        Inode made = Namespace.newInode(number, new Mutation.Birth(FileMode.DIRECTORY | permissions, 0, 0, 0, now));
        made.links = 2;
        made.body = new Directory(made);
        return made;
    }

    private Inode directoryIn(Namespace namespace) {
        Inode known = directory;
        if (known == null) {
            known = findOrMake(namespace);
            directory = known;
        }
        return known;
    }

    private Inode findOrMake(Namespace namespace) {
        Inode root = namespace.find(Namespace.ROOT);
        if (root == null) {
            throw new IllegalStateException("the root directory is missing");
        }
        Dentry there = root.directory().find(NAME);
        if (there != null && there.inode.isDirectory()) {
            return there.inode;
        }
        Inode made = directory(numbers.getAsLong());
        namespace.insert(made);
        name(namespace, root, there == null ? NAME : NAME.concat(ByteString.copyFromUtf8(" of the hive")), made);
        return made;
    }

    private static void name(Namespace namespace, Inode into, ByteString name, Inode inode) {
        Dentry entry = new Dentry(name.toByteArray(), into.directory().nextCookie(), inode);
        into.directory().add(entry);
        namespace.link(into, entry);
    }
}
