package org.beefs.honeybee.mount;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.metrics.Latencies.Reading;
import org.beefs.honeybee.mount.RequestMeter.Opens;

/** A file system that is mounted and served, whichever driver does it. Thread-safe. */
public interface Mount extends AutoCloseable {
    /** Where it is mounted, without symbolic links. */
    Path target();

    /** How it was asked for. */
    MountOptions options();

    /** How it is served; a few words for the user. */
    String service();

    /** What the user has to do without; a line for him. */
    Optional<String> limits();

    /** How often the kernel has asked for what, by the names of the kernel's operations. */
    Map<String, Long> requests();

    /** How long the answers took, likewise, in lower case. */
    SortedMap<String, Reading> times();

    /** How many files were opened, and what way their content takes. */
    Opens opens();

    /** Done when the kernel has ended the mount and no request is served any more. Never fails. */
    CompletableFuture<Void> terminated();

    /**
     * Unmounts. Programs that still use the mount are waited for, for the time that the options say; then what they
     * have open fails. Harmless when somebody has unmounted already, or when called again.
     */
    @Override
    void close();
}
