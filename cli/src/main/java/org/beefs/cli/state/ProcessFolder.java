package org.beefs.cli.state;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.common.rpc.tcp.HiveKey;
import org.jspecify.annotations.Nullable;

/**
 * The folder of one daemon: everything that it keeps, so that it can be copied, looked at and removed as a whole. Only
 * its owner may enter.
 *
 * @param path absolute
 * @param role what runs in it
 * @param name of the process in its hive: {@code queenbee}, or the desktop's
 */
public record ProcessFolder(Path path, Role role, String name) {
    /** The programs of a hive. */
    public enum Role {
        QUEENBEE,
        DESKTOP;

        /** As the command and the configuration file are called. */
        public String word() {
            return this == QUEENBEE ? "queenbee" : "desktop";
        }
    }

    /** Whether it was set up, or a daemon ever ran in it. Fails when this user may not look. */
    public boolean isKnown() {
        HiveFolder.requireAccess(path);
        return isConfigured() || Files.exists(pid());
    }

    /** Whether it was set up, so that {@code up} starts it. */
    public boolean isConfigured() {
        return Files.exists(configuration());
    }

    /** Its configuration. Without one a daemon runs only with what its command line says. */
    public Path configuration() {
        return path.resolve(role.word() + ".toml");
    }

    /** What it tells, rolled at 10 MB; see {@link org.beefs.cli.logging.Logging}. */
    public Path log() {
        return path.resolve(role.word() + ".log");
    }

    /** What the JVM itself printed since the last start, and the one line of a failed start. */
    public Path output() {
        return path.resolve("output");
    }

    /** Which process runs here, held locked by it. */
    public Path pid() {
        return path.resolve("pid");
    }

    /** The control socket. */
    public Path control() {
        return path.resolve("control");
    }

    /** Where the hive is to be mounted by this desktop. */
    public Path mounts() {
        return path.resolve("mounts.json");
    }

    /** The folder of all that runs here of its hive. */
    public HiveFolder hive() {
        return new HiveFolder(Objects.requireNonNull(path.getParent(), "it is in the hive's folder"));
    }

    /** The hive's key; null if it has none. */
    public @Nullable HiveKey key() {
        return hive().key();
    }

    /** Makes the folder, for its owner only. */
    public void create() {
        try {
            Files.createDirectories(path);
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx------"));
        } catch (IOException | SecurityException e) {
            throw new CommandFailure(ExitCode.FOLDER, "cannot use the folder " + path + ": " + Reasons.ofMaking(e));
        }
    }
}
