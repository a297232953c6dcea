package org.beefs.integration.walk;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.integration.walk.Node.Folder;
import org.beefs.integration.walk.Node.Link;
import org.beefs.integration.walk.Node.Place;
import org.jspecify.annotations.Nullable;

/** The names of the model, and the walk along a path as the kernel does it. Paths are relative to the root. */
final class Tree {
    private static final int MAXIMUM_LINKS = 40;
    private static final int MAXIMUM_NAME = 255;

    final Changes changes = new Changes();
    final Folder root = new Folder(changes);

    /** What holds the root: links with ".." lead there, and files may be created through them. */
    private final Folder outside = new Folder(changes);

    private int size;

    Tree() {
        root.permissions = 0755;
        root.parent = outside;
    }

    /**
     * Where a path ends.
     *
     * @param folder that holds, or would hold, the last name
     * @param name the last name; empty where the path ends in "." or ".." or the root itself
     * @param node what it leads to; null when there is nothing
     */
    record End(Folder folder, String name, @Nullable Node node) {
        Node required() {
            if (node == null) {
                throw new PosixException(Errno.ENOENT, name);
            }
            return node;
        }
    }

    /** Follows the path; throws what the kernel would say. A link at the end is followed only if told so. */
    End walk(String path, boolean followLast) {
        Deque<String> rest = new ArrayDeque<>(names(path));
        Folder folder = root;
        int followed = 0;
        while (true) {
            String name = rest.isEmpty() ? "." : rest.removeFirst();
            Node found = step(folder, name);
            boolean last = rest.isEmpty();
            if (found instanceof Link link && (!last || followLast)) {
                if (++followed > MAXIMUM_LINKS) {
                    throw new PosixException(Errno.ELOOP, path);
                }
                names(link.target).reversed().forEach(rest::addFirst);
                continue;
            }
            if (last) {
                return new End(folder, isDots(name) ? "" : name, found);
            }
            folder = enter(found, name);
        }
    }

    /** A path that leads to the node; null when it has no name any more, or none inside the root. */
    @Nullable
    String pathOf(Node node) {
        return node == root ? "" : pathsOf(node).stream().findFirst().orElse(null);
    }

    /** One for each link inside the root. */
    List<String> pathsOf(Node node) {
        return node == root
                ? List.of("")
                : node.places.stream()
                        .map(this::pathOf)
                        .filter(Objects::nonNull)
                        .toList();
    }

    /** How many names there are. */
    int size() {
        return size;
    }

    void attach(Folder folder, String name, Node node) {
        folder.entries.put(name, node);
        node.places.add(new Place(folder, name));
        if (node instanceof Folder child) {
            child.parent = folder;
        }
        size++;
        relinked(folder, node);
    }

    void detach(Folder folder, String name) {
        Node node = folder.entries.remove(name);
        if (node != null) {
            node.places.remove(new Place(folder, name));
            size--;
            relinked(folder, node);
        }
    }

    static boolean isWithin(Folder inner, Folder outer) {
        for (@Nullable Folder folder = inner; folder != null; folder = folder.parent) {
            if (folder == outer) {
                return true;
            }
        }
        return false;
    }

    /** How many names lead from the root to what is in the folder. */
    int depth(Folder folder) {
        return folder == root || folder.parent == null ? 1 : 1 + depth(folder.parent);
    }

    /** How many folders there are one in another, this one included. */
    static int height(Node node) {
        return node instanceof Folder folder
                ? 1
                        + folder.entries.values().stream()
                                .mapToInt(Tree::height)
                                .max()
                                .orElse(0)
                : 0;
    }

    private static void relinked(Folder folder, Node node) {
        folder.modified = null;
        folder.changed().ofEntries();
        node.changed();
    }

    private @Nullable String pathOf(Place place) {
        String parent = pathOf(place.folder());
        return parent == null ? null : parent.isEmpty() ? place.name() : parent + "/" + place.name();
    }

    private static @Nullable Node step(Folder folder, String name) {
        if (name.equals(".")) {
            return folder;
        }
        if (name.equals("..")) {
            if (folder.parent == null) {
                throw new AssertionError("no path of the walk leads that far outside");
            }
            return folder.parent;
        }
        if (name.length() > MAXIMUM_NAME) {
            throw new PosixException(Errno.ENAMETOOLONG, name);
        }
        return folder.entries.get(name);
    }

    private static Folder enter(@Nullable Node node, String name) {
        if (node == null) {
            throw new PosixException(Errno.ENOENT, name);
        }
        if (node instanceof Folder folder) {
            return folder;
        }
        throw new PosixException(Errno.ENOTDIR, name);
    }

    private static boolean isDots(String name) {
        return name.equals(".") || name.equals("..");
    }

    private static List<String> names(String path) {
        return Arrays.stream(path.split("/", -1))
                .filter(name -> !name.isEmpty())
                .toList();
    }
}
