package org.beefs.integration.walk;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.FileMode;
import org.beefs.common.posix.PosixException;
import org.beefs.integration.linux.Posix;
import org.beefs.integration.walk.Node.Fifo;
import org.beefs.integration.walk.Node.Folder;
import org.beefs.integration.walk.Node.Link;
import org.beefs.integration.walk.Tree.End;

/**
 * What Linux's own file systems answer to root, with umask 022, when names are made, changed and opened: the errors and
 * the state afterwards. It was tried against ext4. For one thread.
 */
final class Model {
    static final int UMASK = 022;

    final Tree tree = new Tree();

    void mkdir(String path, int mode) {
        add(
                path,
                new Folder(tree.changes),
                mode & ~UMASK & (FileMode.PERMISSIONS & ~FileMode.SET_UID & ~FileMode.SET_GID));
    }

    void mkfifo(String path, int mode) {
        add(path, new Fifo(tree.changes), mode & ~UMASK);
    }

    void symlink(String target, String path) {
        add(path, new Link(tree.changes, target), 0777);
    }

    void rmdir(String path) {
        End end = tree.walk(path, false);
        Node node = end.required();
        if (!(node instanceof Folder folder)) {
            throw new PosixException(Errno.ENOTDIR, path);
        }
        if (!folder.entries.isEmpty()) {
            throw new PosixException(Errno.ENOTEMPTY, path);
        }
        tree.detach(end.folder(), end.name());
    }

    /** All that is in the folder, and the folder itself. */
    void removeTree(String path) {
        if (!(tree.walk(path, false).required() instanceof Folder folder)) {
            throw new PosixException(Errno.ENOTDIR, path);
        }
        for (String name : List.copyOf(folder.entries.keySet())) {
            String inner = path + "/" + name;
            if (folder.entries.get(name) instanceof Folder) {
                removeTree(inner);
            } else {
                unlink(inner);
            }
        }
        rmdir(path);
    }

    void unlink(String path) {
        End end = tree.walk(path, false);
        if (end.required() instanceof Folder) {
            throw new PosixException(Errno.EISDIR, path);
        }
        tree.detach(end.folder(), end.name());
    }

    void link(String existing, String added) {
        Node node = tree.walk(existing, false).required();
        End end = tree.walk(added, false);
        requireAbsent(end);
        if (node instanceof Folder) {
            throw new PosixException(Errno.EPERM, existing);
        }
        tree.attach(end.folder(), end.name(), node);
    }

    void rename(String from, String to) {
        End source = tree.walk(from, false);
        End target = tree.walk(to, false);
        Node moved = source.required();
        requireOutside(target, moved);
        Node replaced = target.node();
        if (replaced instanceof Folder folder && Tree.isWithin(source.folder(), folder)) {
            throw new PosixException(Errno.ENOTEMPTY, to);
        }
        if (moved == replaced) {
            return;
        }
        if (replaced != null) {
            checkReplaceable(moved, replaced, to);
            tree.detach(target.folder(), target.name());
        }
        tree.detach(source.folder(), source.name());
        tree.attach(target.folder(), target.name(), moved);
    }

    /** As rename with RENAME_NOREPLACE. */
    void renameToNothing(String from, String to) {
        End source = tree.walk(from, false);
        End target = tree.walk(to, false);
        source.required();
        requireAbsent(target);
        rename(from, to);
    }

    /** As rename with RENAME_EXCHANGE. */
    void exchange(String one, String other) {
        End first = tree.walk(one, false);
        End second = tree.walk(other, false);
        Node moved = first.required();
        Node replaced = second.required();
        requireOutside(second, moved);
        requireOutside(first, replaced);
        if (moved != replaced) {
            tree.detach(first.folder(), first.name());
            tree.detach(second.folder(), second.name());
            tree.attach(second.folder(), second.name(), moved);
            tree.attach(first.folder(), first.name(), replaced);
        }
    }

    String readlink(String path) {
        if (tree.walk(path, false).required() instanceof Link link) {
            return link.target;
        }
        throw new PosixException(Errno.EINVAL, path);
    }

    Set<String> list(String path) {
        if (tree.walk(path, true).required() instanceof Folder folder) {
            return new TreeSet<>(folder.entries.keySet());
        }
        throw new PosixException(Errno.ENOTDIR, path);
    }

    /**
     * Whether the walk leaves it closed: opening a FIFO would wait, folders are listed elsewhere, and nobody knows what
     * is in a file in which another mount has stored something through a mapping.
     */
    boolean isNoFile(Mount by, String path, int flags) {
        try {
            return switch (tree.walk(path, true).node()) {
                case Fifo _ -> true;
                case Folder _ -> (flags & Posix.O_ACCMODE) == Posix.O_RDONLY;
                case Content content -> content.isUnsettledFor(by);
                case null, default -> false;
            };
        } catch (PosixException e) {
            return false;
        }
    }

    Content open(Mount by, String path, int flags) {
        boolean create = (flags & Posix.O_CREAT) != 0;
        boolean exclusive = create && (flags & Posix.O_EXCL) != 0;
        End end = tree.walk(path, !exclusive);
        if (exclusive) {
            requireAbsent(end);
        }
        if (end.node() == null && create) {
            Content made = new Content(tree.changes);
            addTo(end, made, 0666 & ~UMASK);
            return made;
        }
        if (!(end.required() instanceof Content content)) {
            throw new PosixException(Errno.EISDIR, path);
        }
        if ((flags & Posix.O_TRUNC) != 0) {
            content.truncate(by, 0);
        }
        return content;
    }

    void truncate(Mount by, String path, int size) {
        Node node = tree.walk(path, true).required();
        if (node instanceof Folder) {
            throw new PosixException(Errno.EISDIR, path);
        }
        if (!(node instanceof Content content)) {
            throw new PosixException(Errno.EINVAL, path);
        }
        content.truncate(by, size);
    }

    private void add(String path, Node node, int permissions) {
        addTo(tree.walk(path, false), node, permissions);
    }

    private void addTo(End end, Node node, int permissions) {
        requireAbsent(end);
        node.permissions = permissions;
        if ((end.folder().permissions & FileMode.SET_GID) != 0) {
            node.group = end.folder().group;
            node.permissions |= node instanceof Folder ? FileMode.SET_GID : 0;
        }
        tree.attach(end.folder(), end.name(), node);
    }

    private static void requireAbsent(End end) {
        if (end.node() != null) {
            throw new PosixException(Errno.EEXIST, end.name());
        }
    }

    private static void requireOutside(End end, Node node) {
        if (node instanceof Folder folder && Tree.isWithin(end.folder(), folder)) {
            throw new PosixException(Errno.EINVAL, end.name());
        }
    }

    private static void checkReplaceable(Node moved, Node replaced, String to) {
        if (moved instanceof Folder && !(replaced instanceof Folder)) {
            throw new PosixException(Errno.ENOTDIR, to);
        }
        if (!(moved instanceof Folder) && replaced instanceof Folder) {
            throw new PosixException(Errno.EISDIR, to);
        }
        if (replaced instanceof Folder folder && !folder.entries.isEmpty()) {
            throw new PosixException(Errno.ENOTEMPTY, to);
        }
    }
}
