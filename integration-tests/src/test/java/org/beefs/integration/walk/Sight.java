package org.beefs.integration.walk;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.integration.linux.FileStatus;
import org.beefs.integration.linux.OpenDirectory;
import org.beefs.integration.linux.Posix;
import org.beefs.integration.linux.Xattrs;
import org.beefs.integration.walk.Node.Folder;
import org.beefs.integration.walk.Node.Link;
import org.jspecify.annotations.Nullable;

/**
 * What is at one path through one mount, held against the model; fails where it differs. The model learns times and
 * inode numbers.
 *
 * @param from the folder from which the path begins
 * @param path may be empty: the folder itself
 */
record Sight(View from, String path) {

    void mustBeAbsent(Errno why) {
        expect("lstat", why, Operation.outcome(() -> Posix.lstat(from.at(path))));
    }

    /** Looks at the attributes, and closely at what may have changed besides. */
    void mustBe(Node node, Change change) {
        looking(() -> {
            switch (node) {
                case Content content when change.hasBytes() || change.hasXattrs() -> open(content, change);
                case Folder folder when change.hasEntries() || change.hasXattrs() -> open(folder, change);
                case Link link -> {
                    mustHave(link, Posix.lstat(from.at(path)));
                    expect("target", link.target, Posix.readlink(from.at(path)));
                }
                default -> mustHave(node, Posix.lstat(from.at(path)));
            }
        });
    }

    /** The same through a descriptor. */
    void mustBe(Content content, Change change, int fd) {
        looking(() -> {
            mustHave(content, Posix.fstat(fd));
            mustHaveBytes(content, change, fd);
        });
    }

    private void open(Content content, Change change) {
        int fd = Posix.open(from.at(path), Posix.O_RDONLY | Posix.O_NOFOLLOW, 0);
        try {
            mustHave(content, Posix.fstat(fd));
            mustHaveBytes(content, change, fd);
            if (change.hasXattrs()) {
                mustHaveXattrs(content, OpenDirectory.pathOf(fd));
            }
        } finally {
            Posix.close(fd);
        }
    }

    private void open(Folder folder, Change change) {
        try (View opened = from.open(path)) {
            mustHave(folder, opened.status());
            expect("entries", folder.entries.keySet(), opened.names());
            if (change.hasXattrs()) {
                mustHaveXattrs(folder, opened.at(""));
            }
        }
    }

    private void mustHave(Node node, FileStatus status) {
        expect("mode", Integer.toOctalString(node.mode()), Integer.toOctalString(status.mode()));
        expect("owner", node.owner, status.owner());
        expect("group", node.group, status.group());
        expect("links", node.links(), status.links());
        if (node instanceof Content content) {
            expect("size", (long) content.size(), status.size());
        }
        if (node.inode != 0) {
            expect("inode", node.inode, status.inode());
        }
        if (node.modified != null && node.keepsTimes()) {
            expect("mtime", node.modified, status.modified());
        }
        if (status.changed().isBefore(node.lastChange)) {
            throw mismatch("ctime", "at least " + node.lastChange, status.changed());
        }
        node.learn(status);
    }

    private void mustHaveBytes(Content content, Change change, int fd) {
        int count = Math.min(change.to(), content.size()) - change.from();
        if (count <= 0) {
            return;
        }
        byte[] found = Posix.pread(fd, change.from(), count);
        int different = content.mismatch(from.mount(), change.from(), found);
        if (found.length != count || different >= 0) {
            int at = different >= 0 ? different : found.length;
            throw mismatch(
                    "bytes from " + (change.from() + at),
                    Arrays.toString(content.read(change.from() + at, 16)),
                    Arrays.toString(Arrays.copyOfRange(found, at, Math.min(found.length, at + 16))));
        }
    }

    private void mustHaveXattrs(Node node, Path opened) {
        expect("xattrs", node.xattrs.keySet(), Set.copyOf(Xattrs.list(opened)));
        for (Map.Entry<String, byte[]> xattr : node.xattrs.entrySet()) {
            byte[] value = Xattrs.get(opened, xattr.getKey());
            expect(xattr.getKey(), Operation.bytes(xattr.getValue()), Operation.bytes(value));
        }
    }

    private void looking(Runnable look) {
        try {
            look.run();
        } catch (PosixException e) {
            throw mismatch("a look", "success", e.getMessage());
        }
    }

    private void expect(String what, Object expected, Object found) {
        if (!expected.equals(found)) {
            throw mismatch(what, expected, found);
        }
    }

    private AssertionError mismatch(String what, Object expected, @Nullable Object found) {
        return new AssertionError("%s of '%s' seen through %s: expected %s, found %s"
                .formatted(what, from.name(path), from.mount().name(), expected, found));
    }
}
