package org.beefs.cli.warmup;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.beefs.cli.warmup.WarmupReport.Missing;
import org.beefs.common.config.ByteSize;

/** Counts what becomes of files. For one thread. */
final class WarmupCounts {
    /** Files that the report names. */
    private static final int MOST_NAMED = 100;

    private long files;
    private long bytes;
    private long present;
    private long brought;
    private long broughtBytes;
    private long missing;
    private final List<Missing> named = new ArrayList<>();

    void expect(LocalCopy copy) {
        files++;
        bytes = ByteSize.sum(bytes, copy.bytes());
    }

    /** Of all files that were expected. */
    long bytes() {
        return bytes;
    }

    void present() {
        present++;
    }

    void brought(long size) {
        brought++;
        broughtBytes = ByteSize.sum(broughtBytes, size);
    }

    /** Also a directory in which nobody has looked. */
    void missing(Path path, String reason) {
        missing++;
        if (named.size() < MOST_NAMED) {
            named.add(new Missing(path.toString(), reason));
        }
    }

    WarmupReport report() {
        return new WarmupReport(files, bytes, present, brought, broughtBytes, missing, List.copyOf(named));
    }
}
