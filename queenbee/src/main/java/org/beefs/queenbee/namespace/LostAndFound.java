package org.beefs.queenbee.namespace;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.beefs.common.posix.FileMode;
import org.beefs.common.posix.FileName;
import org.beefs.queenbee.journal.StateStore;
import org.jspecify.annotations.Nullable;

/** Gives names in {@code /lost+found} to what has none, of its number and its last path. Not thread-safe. */
public final class LostAndFound {
    /** Of the directory, in the root. */
    public static final ByteString NAME = ByteString.copyFromUtf8("lost+found");

    /** Its name when something else has that one. */
    public static final ByteString OTHER_NAME = ByteString.copyFromUtf8("lost+found of the hive");

    private final LongSupplier numbers;
    private final long now;
    private final StateStore.Owner owner;
    private final List<String> taken = new ArrayList<>();
    private @Nullable Inode directory;

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

    /** The names that were given. */
    public List<String> taken() {
        return taken;
    }

    void take(Namespace namespace, Inode inode, String lastPath) {
        Inode into = directoryIn(namespace);
        ByteString name = nameOf(inode, lastPath);
        name(namespace, into, name, inode);
        taken.add(name.toStringUtf8());
    }

    /** What an inode is called there. */
    public static ByteString nameOf(Inode inode, String lastPath) {
        // A slash cannot be in a name; the end of a long path says more than its beginning.
        String number = Long.toHexString(inode.number);
        ByteString path = ByteString.copyFromUtf8(lastPath.replace('/', '%'));
        int room = FileName.LONGEST - number.length() - 1;
        return ByteString.copyFromUtf8(number + " ").concat(path.substring(Math.max(0, path.size() - room)));
    }

    /** One in place of that which is missing. */
    Inode root() {
        return directory(Namespace.ROOT, 0755, owner.user(), owner.group());
    }

    private Inode directory(long number, int permissions, int user, int group) {
        Inode made =
                Namespace.newInode(number, new Mutation.Birth(FileMode.DIRECTORY | permissions, user, group, 0, now));
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
        // In a hive without root nobody but this user could look into it.
        Inode made = directory(numbers.getAsLong(), 0700, root.uid, root.gid);
        namespace.insert(made);
        name(namespace, root, there == null ? NAME : OTHER_NAME, made);
        return made;
    }

    private static void name(Namespace namespace, Inode into, ByteString name, Inode inode) {
        Dentry entry = new Dentry(name.toByteArray(), into.directory().nextCookie(), inode);
        into.directory().add(entry);
        namespace.link(into, entry);
    }
}
