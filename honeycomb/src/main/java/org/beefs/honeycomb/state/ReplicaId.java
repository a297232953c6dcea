package org.beefs.honeycomb.state;

import java.util.Comparator;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.beefs.common.wire.ReplicaName;
import org.beefs.common.wire.ReplicaTarget;
import org.jspecify.annotations.Nullable;

/**
 * Identifies a replica, of which a honeycomb has at most one. Ordered by inode number, as unsigned numbers.
 *
 * @param inode the file
 * @param generation of the file's content
 */
public record ReplicaId(long inode, int generation) implements Comparable<ReplicaId> {
    private static final HexFormat HEX = HexFormat.of();
    private static final Pattern FILE_NAME = Pattern.compile("([0-9a-f]{16})\\.([0-9a-f]{8})");
    private static final Comparator<ReplicaId> ORDER = ((Comparator<ReplicaId>)
                    (a, b) -> Long.compareUnsigned(a.inode, b.inode))
            .thenComparing((a, b) -> Integer.compareUnsigned(a.generation, b.generation));

    public static ReplicaId of(ReplicaTarget target) {
        return new ReplicaId(target.getInode(), target.getGeneration());
    }

    public static ReplicaId of(ReplicaName name) {
        return new ReplicaId(name.getInode(), name.getGeneration());
    }

    public static ReplicaId of(ReplicaDescription description) {
        return new ReplicaId(description.getInode(), description.getGeneration());
    }

    /** Whether a file that says this is this replica's; one that says nothing is nobody's. */
    public boolean isOf(@Nullable ReplicaDescription says) {
        return says != null && of(says).equals(this);
    }

    /** A description that says no more than which replica it is. */
    public ReplicaDescription toDescription() {
        return ReplicaDescription.newBuilder()
                .setInode(inode)
                .setGeneration(generation)
                .build();
    }

    /** The name by which the queen-bee is told of a replica, without a mark of rot. */
    public static ReplicaName.Builder toName(ReplicaDescription description) {
        return ReplicaName.newBuilder()
                .setInode(description.getInode())
                .setGeneration(description.getGeneration())
                .setEpoch(description.getEpoch())
                .setVersion(description.getVersion())
                .setSecondary(description.getKind() == ReplicaKind.REPLICA_KIND_SECONDARY);
    }

    /** The replica that a file of this name holds, or null for a name that no replica has. */
    public static @Nullable ReplicaId ofFileName(String name) {
        Matcher matcher = FILE_NAME.matcher(name);
        return matcher.matches()
                ? new ReplicaId(
                        Long.parseUnsignedLong(matcher.group(1), 16), Integer.parseUnsignedInt(matcher.group(2), 16))
                : null;
    }

    /** Name of the replica's file: both numbers in hexadecimal. */
    public String fileName() {
        return HEX.toHexDigits(inode) + '.' + HEX.toHexDigits(generation);
    }

    // What a record gets by itself goes through method handles, which C1 does not inline.

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ReplicaId id && inode == id.inode && generation == id.generation;
    }

    @Override
    public int hashCode() {
        return 31 * Long.hashCode(inode) + generation;
    }

    @Override
    public int compareTo(ReplicaId other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return "replica " + fileName();
    }
}
