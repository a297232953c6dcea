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
 * @param mounts as the kernel lists them, mostly from the first to the last mounted
 */
public record MountInfo(List<Mount> mounts) {
    private static final Path SOURCE = Path.of("/proc/thread-self/mountinfo");

    /** The kernel escapes spaces, tabs, ends of lines and backslashes, and nothing else. */
    private static final Pattern ESCAPED = Pattern.compile("\\\\([0-3][0-7]{2})");

    private static final Pattern LINE = Pattern.compile(
            "(?<id>\\d{1,18}) (?<parent>\\d{1,18}) "
                    + "(?<device>[^ ]+) [^ ]+ /(?<point>[^ ]*) [^ ]+ (?:[^ ]+ )*?- (?<type>[^ ]+) .*",
            Pattern.DOTALL);

    /**
     * One line of the table.
     *
     * @param id its own number, that of no other mount of the table
     * @param parent number of the mount that it is mounted in, or on top of; the table may lack that
     * @param point where it is mounted, absolute and without symbolic links
     * @param device major and minor number that the kernel gave its file system, as {@code 0:42}, for as long as
     *     anybody uses that
     * @param type such as {@code ext4} or {@code fuse.beefs}
     */
    public record Mount(long id, long parent, Path point, String device, String type) {
        /** Whether whoever looks for its point on the same mount gets to the other one before. */
        private boolean isHiddenBy(Mount other) {
            return other.parent == parent
                    && other.point.getParent() != null // whoever begins at the root does not see what is mounted on it
                    && !other.point.equals(point)
                    && point.startsWith(other.point);
        }

        private boolean isCoveredBy(Mount other) {
            return other.parent == id && other.point.equals(point) && other.id != id;
        }
    }

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
        return new Mount(
                Long.parseLong(line.group("id")),
                Long.parseLong(line.group("parent")),
                absolute(line.group("point")),
                line.group("device"),
                line.group("type"));
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

    /** The mount that is seen at that place: the topmost there, unless a mount at a folder above hides it. */
    public Optional<Mount> at(Path point) {
        return mounts.reversed().stream()
                .filter(mount -> mount.point().equals(point))
                .filter(mount -> mounts.stream().noneMatch(mount::isCoveredBy) && isReached(mount))
                .findFirst();
    }

    /** Whether a mount is what is seen at its point. */
    public boolean isSeen(Mount mount) {
        return at(mount.point()).filter(mount::equals).isPresent();
    }

    /** Whether no mount on the way to its point leads elsewhere. */
    private boolean isReached(Mount mount) {
        Optional<Mount> onTheWay = Optional.of(mount);
        while (onTheWay.isPresent()) {
            if (mounts.stream().anyMatch(onTheWay.get()::isHiddenBy)) {
                return false;
            }
            onTheWay = onTheWay.flatMap(this::parent);
        }
        return true;
    }

    private Optional<Mount> parent(Mount mount) {
        return mounts.stream()
                .filter(other -> other.id() == mount.parent() && other.id() != mount.id())
                .findFirst();
    }
}
