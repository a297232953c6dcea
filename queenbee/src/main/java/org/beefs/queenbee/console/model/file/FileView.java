package org.beefs.queenbee.console.model.file;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A file, directory or whatever else has a name. Its JSON is an interface: fields are added, never renamed.
 *
 * @param name in its directory; bytes that are not UTF-8 are shown as U+FFFD, so {@code inode} is what identifies it
 * @param path one of its paths
 * @param type file, directory, link, fifo, socket or device
 * @param mode as ls(1) shows it
 * @param size bytes; of a file those of the newest version
 * @param links its names
 * @param modified as ISO 8601 has it, as all times
 * @param target of a symbolic link
 * @param entries of a directory
 * @param content of a file
 * @param settings of a file or directory
 */
public record FileView(
        String name,
        String path,
        long inode,
        String type,
        String mode,
        long uid,
        long gid,
        long size,
        int links,
        String modified,
        String changed,
        String created,
        @Nullable String target,
        @Nullable Integer entries,
        @Nullable Content content,
        @Nullable Settings settings) {
    /**
     * What is known of a file's content.
     *
     * @param version newest committed one; 0 when there is none yet
     * @param epoch raised whenever the primary moves
     * @param written whether somebody may be writing it
     * @param replicas the primary first
     */
    public record Content(long version, long epoch, boolean written, List<Replica> replicas) {}

    /**
     * A file's replica.
     *
     * @param kind {@code primary}, {@code secondary} or {@code extra}
     * @param version that it holds; 0 when it holds nothing yet
     * @param state current, dirty, stale, rotten, missing or empty
     * @param presence of the desktop
     */
    public record Replica(String desktop, String kind, long version, String state, String presence) {}

    /**
     * How it is replicated, or what is made in it.
     *
     * @param replicas altogether
     * @param timeToCoherence how long after a close secondaries may stay stale
     * @param pFactor desktops that must hold a version before close or fsync returns
     * @param own which of these are its own; the others are the hive's
     */
    public record Settings(int replicas, String timeToCoherence, int pFactor, List<String> own) {}

    @JsonIgnore
    public boolean isDirectory() {
        return type.equals("directory");
    }
}
