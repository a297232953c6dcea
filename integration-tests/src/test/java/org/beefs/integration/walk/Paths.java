package org.beefs.integration.walk;

import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.beefs.common.posix.PosixException;
import org.beefs.integration.walk.Node.Folder;
import org.beefs.integration.walk.Tree.End;

/** Chooses paths that often meet something: few names, in few folders that exist. For one thread. */
final class Paths {
    private static final int DEEPEST = 4;
    private static final String LONGEST = "x".repeat(255);
    private static final List<String> NAMES =
            List.of("a", "b", "c", "d", "e", "f", "g", "with space", "-dash", "ümläut", ".hidden", LONGEST);

    private final RandomGenerator random;
    private final Tree tree;

    Paths(RandomGenerator random, Tree tree) {
        this.random = random;
        this.tree = tree;
    }

    /** Text with paths, for messages. */
    static String readable(String text) {
        return text.replace(LONGEST, "LONGEST");
    }

    /** A path of which at least the folder exists, nearly always; most of the time there is something. */
    String any() {
        Folder folder = folder(DEEPEST - 1);
        String path = in(folder, random.nextInt(4) == 0 ? name() : nameIn(folder));
        return random.nextInt(20) == 0 ? path + "/" + name() : path;
    }

    /** A path at which often nothing is yet. */
    String forNew() {
        return in(folder(DEEPEST - 1), name());
    }

    /** The same, not too deep for a folder. */
    String forFolder() {
        return in(folder(DEEPEST - 2), name());
    }

    /** A folder below the root, if one was drawn. */
    Optional<String> anyFolder() {
        return Optional.ofNullable(tree.pathOf(folder(DEEPEST - 1))).filter(path -> !path.isEmpty());
    }

    /** What a new symbolic link says; it may lead nowhere. */
    String target() {
        return switch (random.nextInt(4)) {
            case 0 -> name();
            case 1 -> name() + "/" + name();
            case 2 -> "../" + name();
            default -> ".";
        };
    }

    /** Whether what is moved would then reach deeper than the walk goes. */
    boolean isTooDeep(String from, String to) {
        try {
            End target = tree.walk(to, false);
            Node moved = tree.walk(from, false).node();
            return moved != null && tree.depth(target.folder()) + Tree.height(moved) > DEEPEST;
        } catch (PosixException fails) {
            return false;
        }
    }

    private String name() {
        return NAMES.get(random.nextInt(NAMES.size()));
    }

    private String in(Folder folder, String name) {
        String parent = tree.pathOf(folder);
        return parent == null || parent.isEmpty() ? name : parent + "/" + name;
    }

    /** One that is there, if there is any. */
    private String nameIn(Folder folder) {
        List<String> names = List.copyOf(folder.entries.keySet());
        return names.isEmpty() ? name() : names.get(random.nextInt(names.size()));
    }

    private Folder folder(int deepest) {
        Folder folder = tree.root;
        for (int depth = 0; depth < deepest && random.nextInt(5) < 3; depth++) {
            List<Folder> below = foldersIn(folder);
            if (below.isEmpty()) {
                break;
            }
            folder = below.get(random.nextInt(below.size()));
        }
        return folder;
    }

    private static List<Folder> foldersIn(Folder folder) {
        return folder.entries.values().stream()
                .filter(Folder.class::isInstance)
                .map(Folder.class::cast)
                .toList();
    }
}
