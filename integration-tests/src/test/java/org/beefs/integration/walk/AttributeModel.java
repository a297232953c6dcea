package org.beefs.integration.walk;

import java.time.Instant;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.FileMode;
import org.beefs.common.posix.PosixException;
import org.beefs.integration.walk.Node.Fifo;
import org.beefs.integration.walk.Node.Folder;

/** What Linux's own file systems answer to root when attributes are changed. For one thread. */
final class AttributeModel {
    private final Tree tree;

    AttributeModel(Tree tree) {
        this.tree = tree;
    }

    void chmod(String path, int mode) {
        Node node = tree.walk(path, true).required();
        node.permissions = mode;
        node.changed();
    }

    void lchown(String path, int owner, int group) {
        Node node = tree.walk(path, false).required();
        node.owner = owner;
        node.group = group;
        if (!(node instanceof Folder)) {
            boolean executableByGroup = (node.permissions & 0010) != 0;
            node.permissions &= ~FileMode.SET_UID & (executableByGroup ? ~FileMode.SET_GID : ~0);
        }
        node.changed();
    }

    void utimens(String path, Instant modified) {
        Node node = tree.walk(path, true).required();
        node.modified = modified;
        node.changed();
    }

    void setxattr(String path, String name, byte[] value) {
        Node node = tree.walk(path, true).required();
        if (node instanceof Fifo) {
            throw new PosixException(Errno.EPERM, path);
        }
        node.xattrs.put(name, value);
        node.changed().ofXattrs();
    }

    byte[] getxattr(String path, String name) {
        byte[] value = tree.walk(path, true).required().xattrs.get(name);
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
        if (node.xattrs.remove(name) == null) {
            throw new PosixException(Errno.ENODATA, name);
        }
        node.changed().ofXattrs();
    }
}
