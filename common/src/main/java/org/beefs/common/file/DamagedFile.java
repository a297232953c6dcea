package org.beefs.common.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A file of settings or memories in which nobody can read what was written. */
public final class DamagedFile {
    private static final Logger LOG = LoggerFactory.getLogger(DamagedFile.class);

    private DamagedFile() {}

    /**
     * Keeps it beside its place, instead of an earlier one, for somebody who looks what can be saved; and says so.
     *
     * @param damage what is wrong with it
     */
    public static void moveAside(Path file, String damage) throws IOException {
        Path aside = file.resolveSibling(file.getFileName() + ".damaged");
        Files.move(file, aside, StandardCopyOption.REPLACE_EXISTING);
        LOG.warn("{} is damaged, begins anew, and is kept as {}: {}", file, aside, damage);
    }
}
