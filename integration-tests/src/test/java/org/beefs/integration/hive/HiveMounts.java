package org.beefs.integration.hive;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Of a real hive; each mount is made when it is first asked for. For one thread. */
final class HiveMounts implements Mounts {
    private static final String FIRST_DESKTOP = "desktop1";

    private final Hive hive;
    private final Path local;
    private final Map<String, Path> added = new HashMap<>();

    HiveMounts(Hive hive) {
        this(hive, hive.mount());
    }

    private HiveMounts(Hive hive, Path local) {
        this.hive = hive;
        this.local = local;
    }

    @Override
    public Mounts fresh() {
        return new HiveMounts(hive, hive.mountOn(FIRST_DESKTOP));
    }

    @Override
    public Path local() {
        return local;
    }

    @Override
    public Path sameDesktop() {
        return on(FIRST_DESKTOP);
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
    public void assertSound() {
        try {
            Soundness.assertSound(hive);
            hive.assertNoTraces();
        } catch (AssertionError | RuntimeException e) {
            hive.keepLogs("soundness"); // after the last test nobody else does
            throw e;
        }
    }

    @Override
    public Path scratch() {
        return hive.scratch();
    }

    private Path on(String host) {
        return added.computeIfAbsent(host, hive::mountOn);
    }
}
