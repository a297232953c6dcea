package org.beefs.cli.bench;

import java.io.IOException;
import java.nio.file.Path;
import org.beefs.cli.process.ProcessUsage;

/** A directory of the machine's own, or of a hive that is not known here. */
record PlainPlace(Path directory, KernelCaches caches) implements Place {
    @Override
    public void dropCaches() throws IOException, InterruptedException {
        caches.drop();
    }

    @Override
    public ProcessUsage usage() {
        return ProcessUsage.NONE;
    }

    @Override
    public boolean hasDaemons() {
        return false;
    }
}
