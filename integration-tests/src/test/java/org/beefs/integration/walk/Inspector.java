package org.beefs.integration.walk;

import java.util.List;
import org.beefs.common.posix.PosixException;
import org.beefs.integration.walk.Node.Folder;

/** Compares what mounts show with the model. For one thread. */
final class Inspector {
    private static final Change ALL = Change.ofAll();
    private static final Change NOTHING = new Change();

    private final Tree tree;

    Inspector(Tree tree) {
        this.tree = tree;
    }

    /** Looks through each of the roots at what operations have named and changed since the last time. */
    void lookAtChanges(List<View> roots) {
        for (View root : roots) {
            tree.changes.nodes().forEach((node, change) -> lookAt(root, node, change));
            tree.changes.paths().forEach(path -> lookAt(root, path));
        }
        tree.changes.clear();
    }

    /** Looks at everything that there is, and that there is nothing else. */
    void lookAtAll(View root) {
        new Sight(root, "").mustBe(tree.root, ALL);
        lookBelow(root, tree.root);
    }

    /** Looks at a file through a descriptor, whether the file still has a name or not. */
    void lookAt(OpenFile file) {
        boolean canRead = file.isReadable() && !file.isDirect();
        new Sight(file.root(), file.toString()).mustBe(file.content(), canRead ? ALL : NOTHING, file.fd());
    }

    /** Closely through one of its names; all names must lead to the same. */
    private void lookAt(View root, Node node, Change change) {
        Change closely = change;
        for (String path : tree.pathsOf(node)) {
            new Sight(root, path).mustBe(node, closely);
            closely = NOTHING;
        }
    }

    private void lookAt(View root, String path) {
        Sight sight = new Sight(root, path);
        Node node;
        try {
            node = tree.walk(path, false).required();
        } catch (PosixException predicted) {
            sight.mustBeAbsent(predicted.errno());
            return;
        }
        boolean seen =
                tree.changes.nodes().containsKey(node) && tree.pathsOf(node).contains(path);
        if (!seen) {
            sight.mustBe(node, NOTHING);
        }
    }

    private void lookBelow(View view, Folder folder) {
        folder.entries.forEach((name, node) -> {
            new Sight(view, name).mustBe(node, ALL);
            if (node instanceof Folder child) {
                try (View below = view.open(name)) {
                    lookBelow(below, child);
                }
            }
        });
    }
}
