package org.beefs.cli.mounts;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The kernel's list of mounts, as of one moment. Reading it never waits for who serves a mount. */
public final class MountTable {
    /** File system type of a mounted hive. */
    public static final String HIVE_TYPE = "fuse.beefs";

    private static final Path MOUNT_INFO = Path.of("/proc/self/mountinfo");
    private static final Pattern OCTAL = Pattern.compile("\\\\([0-3][0-7]{2})");

    /**
     * One mount, in the order in which they were made.
     *
     * @param device number that the kernel gave its file system, for as long as anybody uses that
     */
    public record Mount(Path path, String device, String type, String source) {
        public boolean isHive() {
            return type.equals(HIVE_TYPE);
        }
    }

    private final List<Mount> mounts;

    private MountTable(List<Mount> mounts) {
        this.mounts = mounts;
    }

    public static MountTable read() {
        try {
            return parse(Files.readString(MOUNT_INFO, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + MOUNT_INFO, e);
        }
    }

    /** Parses the form of /proc/PID/mountinfo (proc_pid_mountinfo(5)). */
    public static MountTable parse(String text) {
        return new MountTable(text.lines().map(MountTable::parseLine).toList());
    }

    private static Mount parseLine(String line) {
        String[] fields = line.split(" ");
        int separator = Arrays.asList(fields).indexOf("-");
        return new Mount(
                Path.of(unescape(fields[4])), fields[2], fields[separator + 1], unescape(fields[separator + 2]));
    }

    private static String unescape(String text) {
        return OCTAL.matcher(text).replaceAll(match -> octal(match));
    }

    private static String octal(MatchResult match) {
        String character = Character.toString(Integer.parseInt(match.group(1), 8));
        return character.equals("\\") ? "\\\\" : character;
    }

    /** All mounted hives. */
    public List<Mount> hives() {
        return mounts.stream().filter(Mount::isHive).toList();
    }

    /** What is mounted exactly at a path: the topmost, which was mounted last. */
    public Optional<Mount> at(Path path) {
        return mounts.reversed().stream()
                .filter(mount -> mount.path().equals(path))
                .findFirst();
    }

    /** The mounted hive that a path is in, or at. */
    public Optional<Mount> hiveAbove(Path path) {
        return mounts.reversed().stream()
                .filter(mount -> mount.isHive() && path.startsWith(mount.path()))
                .findFirst();
    }
}
