package org.beefs.integration.walk;

import java.time.Instant;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.FileMode;
import org.beefs.common.posix.PosixException;
import org.beefs.integration.linux.Posix;
import org.beefs.integration.walk.Node.Content;
import org.beefs.integration.walk.Node.Fifo;
import org.beefs.integration.walk.Node.Folder;
import org.beefs.integration.walk.Node.Link;
import org.beefs.integration.walk.Tree.End;

/**
 * What Linux's own file systems answer to root, with umask 022: the errors and the state afterwards. It was tried against ext4. For
 * one thread.
 */
final class Model {
    static final int UMASK = 022;

    final Tree tree = new Tree();

    void mkdir(String path, int mode) {
        add(path, new Folder(), mode & ~UMASK & (FileMode.PERMISSIONS & ~FileMode.SET_UID & ~FileMode.SET_GID));
    }

    void mkfifo(String path, int mode) {
        add(path, new Fifo(), mode & ~UMASK);
    }

    void symlink(String target, String path) {
        add(path, new Link(target), 0777);
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
        Tree.detach(end.folder(), end.name());
    }

    void unlink(String path) {
        End end = tree.walk(path, false);
        if (end.required() instanceof Folder) {
            throw new PosixException(Errno.EISDIR, path);
        }
        Tree.detach(end.folder(), end.name());
    }

    void link(String existing, String added) {
        Node node = tree.walk(existing, false).required();
        End end = tree.walk(added, false);
        requireAbsent(end);
        if (node instanceof Folder) {
            throw new PosixException(Errno.EPERM, existing);
        }
        Tree.attach(end.folder(), end.name(), node);
    }

    void rename(String from, String to) {
        End source = tree.walk(from, false);
        End target = tree.walk(to, false);
        Node moved = source.required();
        if (moved instanceof Folder folder && Tree.isWithin(target.folder(), folder)) {
            throw new PosixException(Errno.EINVAL, to);
        }
        Node replaced = target.node();
        if (replaced instanceof Folder folder && Tree.isWithin(source.folder(), folder)) {
            throw new PosixException(Errno.ENOTEMPTY, to);
        }
        if (moved == replaced) {
            return;
        }
        if (replaced != null) {
            checkReplaceable(moved, replaced, to);
            Tree.detach(target.folder(), target.name());
        }
        Tree.detach(source.folder(), source.name());
        Tree.attach(target.folder(), target.name(), moved);
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

    void chmod(String path, int mode) {
        tree.walk(path, true).required().permissions = mode;
    }

    void lchown(String path, int owner, int group) {
        Node node = tree.walk(path, false).required();
        node.owner = owner;
        node.group = group;
        if (!(node instanceof Folder)) {
            boolean executableByGroup = (node.permissions & 0010) != 0;
            node.permissions &= ~FileMode.SET_UID & (executableByGroup ? ~FileMode.SET_GID : ~0);
        }
    }

    void utimens(String path, Instant modified) {
        tree.walk(path, true).required().modified = modified;
    }

    void setxattr(String path, String name, byte[] value) {
        Node node = tree.walk(path, true).required();
        if (node instanceof Fifo) {
            throw new PosixException(Errno.EPERM, path);
        }
        node.attributes.put(name, value);
    }

    byte[] getxattr(String path, String name) {
        byte[] value = tree.walk(path, true).required().attributes.get(name);
        if (value == null) {
            throw new PosixException(Errno.ENODATA, name);
        }
        return value;
    }

    void removexattr(String path, String name) {
        Node node = tree.walk(path, true).required();
        if (node instanceof Fifo) {
            throw new PosixException(Errno.EPERM, path);
        }
        if (node.attributes.remove(name) == null) {
            throw new PosixException(Errno.ENODATA, name);
        }
    }

    /** Whether the walk leaves it closed: opening a FIFO would wait, and folders are listed elsewhere. */
    boolean isNoFile(String path, int flags) {
        try {
            Node node = tree.walk(path, true).node();
            return node instanceof Fifo || (node instanceof Folder && flags == Posix.O_RDONLY);
        } catch (PosixException e) {
            return false;
        }
    }

    Content open(String path, int flags) {
        boolean create = (flags & Posix.O_CREAT) != 0;
        boolean exclusive = create && (flags & Posix.O_EXCL) != 0;
        End end = tree.walk(path, !exclusive);
        if (exclusive) {
            requireAbsent(end);
        }
        if (end.node() == null && create) {
            Content made = new Content();
            addTo(end, made, 0666 & ~UMASK);
            return made;
        }
        if (!(end.required() instanceof Content content)) {
            throw new PosixException(Errno.EISDIR, path);
        }
        if ((flags & Posix.O_TRUNC) != 0) {
            truncate(content, 0);
        }
        return content;
    }

    void truncate(String path, int size) {
        Node node = tree.walk(path, true).required();
        if (node instanceof Folder) {
            throw new PosixException(Errno.EISDIR, path);
        }
        if (!(node instanceof Content content)) {
            throw new PosixException(Errno.EINVAL, path);
        }
        truncate(content, size);
    }

    static void truncate(Content content, int size) {
        content.bytes = Arrays.copyOf(content.bytes, size);
        touched(content);
    }

    static void write(Content content, int offset, byte[] bytes) {
        int end = Math.max(content.bytes.length, offset + bytes.length);
        byte[] after = Arrays.copyOf(content.bytes, end);
        System.arraycopy(bytes, 0, after, offset, bytes.length);
        content.bytes = after;
        touched(content);
    }

    static void punch(Content content, int offset, int length) {
        int end = Math.min(content.bytes.length, offset + length);
        if (offset < end) {
            byte[] after = content.bytes.clone();
            Arrays.fill(after, offset, end, (byte) 0);
            content.bytes = after;
        }
        touched(content);
    }

    static byte[] read(Content content, int offset, int count) {
        int end = Math.min(content.bytes.length, offset + count);
        return offset >= end ? new byte[0] : Arrays.copyOfRange(content.bytes, offset, end);
    }

    private static void touched(Content content) {
        content.modified = null;
        content.seen = false;
    }

    private void add(String path, Node node, int permissions) {
        addTo(tree.walk(path, false), node, permissions);
    }

    private static void addTo(End end, Node node, int permissions) {
        requireAbsent(end);
        node.permissions = permissions;
        if ((end.folder().permissions & FileMode.SET_GID) != 0) {
            node.group = end.folder().group;
            node.permissions |= node instanceof Folder ? FileMode.SET_GID : 0;
        }
        Tree.attach(end.folder(), end.name(), node);
    }

    private static void requireAbsent(End end) {
        if (end.node() != null) {
            throw new PosixException(Errno.EEXIST, end.name());
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
