package org.beefs.integration.walk;

import java.util.List;
import java.util.random.RandomGenerator;
import org.beefs.integration.walk.Node.Folder;

/** Chooses paths that often meet something: few names, in folders that exist. For one thread. */
final class Paths {
    private static final int DEEPEST = 5;
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

    /** A path of which at least the folder exists, nearly always. */
    String any() {
        String path = in(folder(DEEPEST - 1));
        return random.nextInt(20) == 0 ? path + "/" + name() : path;
    }

    /** A path for a new folder, not too deep. */
    String forFolder() {
        return in(folder(DEEPEST - 2));
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

    private String name() {
        return NAMES.get(random.nextInt(NAMES.size()));
    }

    private String in(Folder folder) {
        String parent = tree.pathOf(folder);
        return parent == null || parent.isEmpty() ? name() : parent + "/" + name();
    }

    private Folder folder(int deepest) {
        Folder folder = tree.root;
        for (int depth = 0; depth < deepest && random.nextInt(4) != 0; depth++) {
            List<Folder> below = folder.entries.values().stream()
                    .filter(Folder.class::isInstance)
                    .map(Folder.class::cast)
                    .toList();
            if (below.isEmpty()) {
                break;
            }
            folder = below.get(random.nextInt(below.size()));
        }
        return folder;
    }
}
