package org.beefs.honeybee.fuse;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What this process sees mounted, as of one moment.
 *
 * @param mounts from the first to the last mounted: of several at one place the last covers the others
 */
record MountTable(List<Mount> mounts) {
    private static final Path SOURCE = Path.of("/proc/self/mountinfo");
    private static final Pattern ESCAPED = Pattern.compile("\\\\([0-7]{3})");

    /**
     * One line of the table.
     *
     * @param device major and minor number of the file system, as {@code 0:42}
     * @param point where it is mounted, absolute and without symbolic links; as text, since others' mounts may have names
     *     that are no path in this process's locale
     * @param type such as {@code ext4} or {@code fuse.beefs}
     */
    record Mount(String device, String point, String type) {}

    static MountTable read() throws IOException {
        return parse(Files.readString(SOURCE, StandardCharsets.ISO_8859_1));
    }

    /** Each character of the text stands for one byte. */
    static MountTable parse(String text) {
        return new MountTable(text.lines().map(MountTable::mount).toList());
    }

    /** The mount that is seen at that place. */
    Optional<Mount> at(Path point) {
        return mounts.stream()
                .filter(mount -> mount.point().equals(point.toString()))
                .reduce((covered, covering) -> covering);
    }

    private static Mount mount(String line) {
        String[] fields = line.split(" ", -1);
        int separator = 6;
        while (!fields[separator].equals("-")) {
            separator++;
        }
        return new Mount(fields[2], unescape(fields[4]), fields[separator + 1]);
    }

    private static String unescape(String field) {
        String bytes = ESCAPED.matcher(field).replaceAll(match -> Matcher.quoteReplacement(character(match)));
        return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    private static String character(MatchResult escaped) {
        return String.valueOf((char) Integer.parseInt(escaped.group(1), 8));
    }
}
