package org.beefs.queenbee.namespace;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.beefs.common.posix.FileMode;
import org.beefs.common.posix.FileName;
import org.beefs.queenbee.journal.StateStore;
import org.jspecify.annotations.Nullable;

/**
 * Gives names in {@code /lost+found} to what has none, of its number and its last path. The directory lets in nobody
 * but its owner, because what is put there may have been in one that did not let others in. Not thread-safe.
 */
public final class LostAndFound {
    private static final String NAME = "lost+found";

    /** The directory's name when something else has the usual one; if that is taken too, with a number. */
    private static final String OTHER_NAME = "lost+found of the hive";

    private static final int FOR_OTHERS = 077;

    private final LongSupplier numbers;
    private final long now;
    private final StateStore.Owner owner;
    private final List<String> taken = new ArrayList<>();
    private @Nullable Inode directory;
    private boolean hasMadeRoot;

    /**
     * @param numbers for new inodes
     * @param now packed, the time of what is made
     * @param owner of a root directory that has to be made
     */
    public LostAndFound(LongSupplier numbers, long now, StateStore.Owner owner) {
        this.numbers = numbers;
        this.now = now;
        this.owner = owner;
    }

    /** The paths that were given. */
    public List<String> taken() {
        return taken;
    }

    void take(Namespace namespace, Inode inode, String lastPath) {
        Inode into = directoryIn(namespace);
        ByteString name = nameOf(inode, lastPath);
        name(namespace, into, name, inode);
        taken.add(into.path() + "/" + name.toStringUtf8());
    }

    /** The name of the directory in the root, whether it is there or has to be made. */
    public static ByteString nameIn(Inode root) {
        ByteString name = ByteString.copyFromUtf8(NAME);
        for (int number = 1; !isUsable(name, root); number++) {
            name = ByteString.copyFromUtf8(number == 1 ? OTHER_NAME : OTHER_NAME + " " + number);
        }
        return name;
    }

    private static boolean isUsable(ByteString name, Inode root) {
        Dentry there = root.directory().find(name);
        return there == null || isPrivate(there.inode, root);
    }

    /** Whether nobody can look into it but who may do everything in the hive. */
    private static boolean isPrivate(Inode inode, Inode root) {
        boolean trusted = inode.uid == 0 || inode.uid == root.uid;
        return inode.isDirectory() && trusted && (inode.mode & FOR_OTHERS) == 0;
    }

    /**
     * The owner and mode of the directory. It belongs to the owner of the root directory: in a hive without root nobody
     * else could look into it.
     */
    public static Mutation.Birth birth(Inode root, long now) {
        return new Mutation.Birth(FileMode.DIRECTORY | 0700, root.uid, root.gid, 0, now);
    }

    /** The name of an inode there. */
    public static ByteString nameOf(Inode inode, String lastPath) {
        // A slash cannot be in a name; the end of a long path says more than its beginning.
        String number = Long.toHexString(inode.number);
        ByteString path = ByteString.copyFromUtf8(lastPath.replace('/', '%'));
        int room = FileName.LONGEST - number.length() - 1;
        return ByteString.copyFromUtf8(number + " ").concat(path.substring(Math.max(0, path.size() - room)));
    }

    /** A root directory in place of the one that is missing, which may have let in few. */
    Inode root() {
        hasMadeRoot = true;
        return directory(
                Namespace.ROOT, new Mutation.Birth(FileMode.DIRECTORY | 0700, owner.user(), owner.group(), 0, now));
    }

    /** Whether the root directory was missing. */
    public boolean hasMadeRoot() {
        return hasMadeRoot;
    }

    private static Inode directory(long number, Mutation.Birth birth) {
        Inode made = Namespace.newInode(number, birth);
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
        ByteString name = nameIn(root);
        Dentry there = root.directory().find(name);
        if (there != null) {
            return there.inode;
        }
        Inode made = directory(numbers.getAsLong(), birth(root, now));
        namespace.insert(made);
        name(namespace, root, name, made);
        return made;
    }

    private static void name(Namespace namespace, Inode into, ByteString name, Inode inode) {
        Dentry entry = new Dentry(name.toByteArray(), into.directory().nextCookie(), inode);
        into.directory().add(entry);
        namespace.link(into, entry);
    }
}
