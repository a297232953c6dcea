package org.beefs.queenbee.recovery;

import java.util.List;

/**
 * Something that a recovery would not bring back as it is. Its JSON is an interface: fields are added, never renamed.
 *
 * @param path where it is now; empty for what is gone
 * @param what {@code missing}, {@code older} than it is, {@code elsewhere} if under another name, or {@code returns} if
 *     it is gone and would be back
 * @param why {@code away} if only desktops that are away know better, {@code late} if a desktop has yet to write down
 *     what it was told, or {@code lost} if its catalog says that it has
 * @param desktops that should know it
 */
public record DrillGap(String path, long inode, String what, String why, List<String> desktops) {
    public static final String MISSING = "missing";
    public static final String OLDER = "older";
    public static final String ELSEWHERE = "elsewhere";
    public static final String RETURNS = "returns";

    public static final String AWAY = "away";
    public static final String LATE = "late";
    public static final String LOST = "lost";

    /** In a sentence about the file: it would be so. */
    public String state() {
        return switch (what) {
            case ELSEWHERE -> "under another name";
            case RETURNS -> "back though it was removed";
            default -> what;
        };
    }

    /** In a sentence about the desktops. */
    public String reason() {
        return switch (why) {
            case AWAY -> "who knows it is away";
            case LATE -> "who has yet to write it down";
            default -> "who should know it and does not";
        };
    }

    /** No gap: only desktops that were given up or emptied knew it, and with them its content is gone. */
    public static final String GONE = "gone";

    /**
     * No gap: some catalog has its record, and it is not known whether it was removed. A recovery went without that
     * catalog, or an older copy of her data was put back, and another recovery finds it; or it was removed long ago.
     */
    public static final String UNKNOWN = "unknown";
}
