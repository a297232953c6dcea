package org.beefs.integration.walk;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** What operations have named and changed since somebody looked through every mount. For one thread. */
final class Changes {
    private final Set<String> paths = new LinkedHashSet<>();
    private final Map<Node, Change> nodes = new LinkedHashMap<>();

    /** Paths at which there must be now what the model has there, whether the operation did anything or not. */
    void named(Collection<String> named) {
        paths.addAll(named);
    }

    /** What has changed of the inode, to be widened by who changes more of it. */
    Change of(Node node) {
        return nodes.computeIfAbsent(node, _ -> new Change());
    }

    Set<String> paths() {
        return Collections.unmodifiableSet(paths);
    }

    Map<Node, Change> nodes() {
        return Collections.unmodifiableMap(nodes);
    }

    void clear() {
        paths.clear();
        nodes.clear();
    }
}
