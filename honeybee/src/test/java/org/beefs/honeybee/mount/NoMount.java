package org.beefs.honeybee.mount;

import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.metrics.Latencies.Reading;
import org.beefs.honeybee.mount.RequestMeter.Opens;

/** Stands for a mount where only matters which one it is: nothing is mounted, and it never ends. */
public class NoMount implements Mount {
    private final Path target;

    public NoMount(Path target) {
        this.target = target;
    }

    @Override
    public Path target() {
        return target;
    }

    @Override
    public MountOptions options() {
        return MountOptions.DEFAULTS;
    }

    @Override
    public String service() {
        return "nobody";
    }

    @Override
    public Optional<String> limits() {
        return Optional.empty();
    }

    @Override
    public Map<String, Long> requests() {
        return Map.of();
    }

    @Override
    public SortedMap<String, Reading> times() {
        return Collections.emptySortedMap();
    }

    @Override
    public Opens opens() {
        return Opens.NONE;
    }

    @Override
    public CompletableFuture<Void> terminated() {
        return new CompletableFuture<>();
    }

    @Override
    public void close() {}
}
