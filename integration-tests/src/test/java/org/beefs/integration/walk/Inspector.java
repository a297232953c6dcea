package org.beefs.integration.walk;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeSet;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.integration.linux.FileStatus;
import org.beefs.integration.linux.Posix;
import org.beefs.integration.walk.Node.Content;
import org.beefs.integration.walk.Node.Folder;
import org.beefs.integration.walk.Node.Link;

/** Compares what a mount shows with the model, and lets the model learn times and inode numbers. For one thread. */
final class Inspector {
    private final Model model;

    Inspector(Model model) {
        this.model = model;
    }

    /** Looks at one path; fails where it differs. */
    void look(Mount mount, String path) {
        Node node;
        try {
            node = model.tree.walk(path, false).required();
        } catch (PosixException predicted) {
            expectAbsent(mount, path, predicted.errno());
            return;
        }
        compare(mount, path, node);
        if (node instanceof Content content && !content.seen) {
            compareBytes(mount, path, content);
        }
    }

    /** Looks at everything that there is, and that there is nothing else. */
    void lookAtAll(Mount mount) {
        lookBelow(mount, "", model.tree.root);
    }

    private void lookBelow(Mount mount, String path, Folder folder) {
        compare(mount, path, folder);
        expect(mount, path, "entries", new TreeSet<>(folder.entries.keySet()), NameOperations.names(mount, path));
        folder.entries.forEach((name, node) -> {
            String child = path.isEmpty() ? name : path + "/" + name;
            if (node instanceof Folder inner) {
                lookBelow(mount, child, inner);
                return;
            }
            compare(mount, child, node);
            if (node instanceof Content content) {
                compareBytes(mount, child, content);
                compareAttributes(mount, child, content);
            }
            if (node instanceof Link link) {
                expect(mount, child, "target", link.target, Posix.readlink(mount.at(child)));
            }
        });
    }

    private static void expectAbsent(Mount mount, String path, Errno predicted) {
        Object found = Operation.outcome(() -> Posix.lstat(mount.at(path)));
        expect(mount, path, "lstat", predicted, found);
    }

    private static void compare(Mount mount, String path, Node node) {
        FileStatus status = Posix.lstat(mount.at(path));
        expect(mount, path, "mode", Integer.toOctalString(node.mode()), Integer.toOctalString(status.mode()));
        expect(mount, path, "owner", node.owner, status.owner());
        expect(mount, path, "group", node.group, status.group());
        expect(mount, path, "links", node.links(), status.links());
        if (node instanceof Content content) {
            expect(mount, path, "size", (long) content.bytes.length, status.size());
        }
        if (node.inode != 0) {
            expect(mount, path, "inode", node.inode, status.inode());
        }
        if (node.modified != null) {
            expect(mount, path, "mtime", node.modified, status.modified());
        }
        if (status.changed().isBefore(node.changed)) {
            throw mismatch(mount, path, "ctime", "at least " + node.changed, status.changed());
        }
        node.inode = status.inode();
        node.modified = status.modified();
        node.changed = status.changed();
    }

    private static void compareBytes(Mount mount, String path, Content content) {
        int fd = Posix.open(mount.at(path), Posix.O_RDONLY, 0);
        try {
            byte[] found = Posix.pread(fd, 0, content.bytes.length + 1);
            int difference = Arrays.mismatch(content.bytes, found);
            if (difference >= 0) {
                throw mismatch(
                        mount,
                        path,
                        "bytes from " + difference,
                        excerpt(content.bytes, difference),
                        excerpt(found, difference));
            }
            content.seen = true;
        } finally {
            Posix.close(fd);
        }
    }

    private static void compareAttributes(Mount mount, String path, Content content) {
        TreeSet<String> names = new TreeSet<>(Posix.listxattr(mount.at(path)));
        expect(mount, path, "xattrs", new TreeSet<>(content.attributes.keySet()), names);
        for (Map.Entry<String, byte[]> attribute : content.attributes.entrySet()) {
            byte[] value = Posix.getxattr(mount.at(path), attribute.getKey());
            expect(mount, path, attribute.getKey(), Operation.bytes(attribute.getValue()), Operation.bytes(value));
        }
    }

    private static String excerpt(byte[] bytes, int from) {
        int to = Math.min(bytes.length, from + 16);
        return bytes.length + " bytes, there "
                + (from < to ? Arrays.toString(Arrays.copyOfRange(bytes, from, to)) : "end");
    }

    private static void expect(Mount mount, String path, String what, Object expected, Object found) {
        if (!expected.equals(found)) {
            throw mismatch(mount, path, what, expected, found);
        }
    }

    private static AssertionError mismatch(Mount mount, String path, String what, Object expected, Object found) {
        return new AssertionError("%s of '%s' seen through %s: expected %s, found %s"
                .formatted(what, path, mount.name(), expected, found));
    }
}
