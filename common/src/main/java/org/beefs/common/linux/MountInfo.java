package org.beefs.common.linux;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The mounts that the thread which reads them sees, as of one moment. Reading never waits for who serves a mount.
 *
 * @param mounts from the first to the last mounted: of several at one place the last covers the others
 */
public record MountInfo(List<Mount> mounts) {
    private static final Path SOURCE = Path.of("/proc/thread-self/mountinfo");

    /** The kernel escapes spaces, tabs, ends of lines and backslashes, and nothing else. */
    private static final Pattern ESCAPED = Pattern.compile("\\\\([0-3][0-7]{2})");

    private static final Pattern LINE = Pattern.compile(
            "[^ ]+ [^ ]+ (?<device>[^ ]+) [^ ]+ /(?<point>[^ ]*) [^ ]+ (?:[^ ]+ )*?- (?<type>[^ ]+) .*",
            Pattern.DOTALL);

    /**
     * One line of the table.
     *
     * @param point where it is mounted, absolute and without symbolic links
     * @param device major and minor number that the kernel gave its file system, as {@code 0:42}, for as long as
     *     anybody uses that
     * @param type such as {@code ext4} or {@code fuse.beefs}
     */
    public record Mount(Path point, String device, String type) {}

    /** The table as it is now. */
    public static MountInfo read() throws IOException {
        return parse(Files.readString(SOURCE, StandardCharsets.ISO_8859_1));
    }

    /**
     * Parses the form of proc_pid_mountinfo(5), of which each character stands for one byte. Lines of another form are
     * left out.
     */
    public static MountInfo parse(String text) {
        return new MountInfo(Arrays.stream(text.split("\n", -1))
                .map(LINE::matcher)
                .filter(Matcher::matches)
                .map(MountInfo::mount)
                .toList());
    }

    private static Mount mount(MatchResult line) {
        return new Mount(absolute(line.group("point")), line.group("device"), line.group("type"));
    }

    /**
     * The path of these bytes, made of a URI, which says each byte: no text stands for a name that is none in this
     * process's locale.
     */
    private static Path absolute(String field) {
        String unescaped = ESCAPED.matcher(field).replaceAll(match -> Matcher.quoteReplacement(character(match)));
        byte[] bytes = unescaped.getBytes(StandardCharsets.ISO_8859_1);
        return Path.of(URI.create("file:///" + HexFormat.of().withPrefix("%").formatHex(bytes)));
    }

    private static String character(MatchResult escaped) {
        return String.valueOf((char) Integer.parseInt(escaped.group(1), 8));
    }

    /** The mount that is seen at that place. */
    public Optional<Mount> at(Path point) {
        return mounts.reversed().stream()
                .filter(mount -> mount.point().equals(point))
                .findFirst();
    }
}
