package org.beefs.integration.hive;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Of a real hive; each mount is made when it is first asked for. For one thread. */
final class HiveMounts implements Mounts {
    private final Hive hive;
    private final Map<String, Path> added = new HashMap<>();

    HiveMounts(Hive hive) {
        this.hive = hive;
    }

    @Override
    public Path local() {
        return hive.mount();
    }

    @Override
    public Path sameDesktop() {
        return on("desktop1");
    }

    @Override
    public Path otherDesktop() {
        return on("desktop2");
    }

    @Override
    public Path withoutHoneycomb() {
        return on("laptop");
    }

    @Override
    public Path scratch() {
        return hive.scratch();
    }

    private Path on(String host) {
        return added.computeIfAbsent(host, hive::mountOn);
    }
}
