package org.beefs.common.rpc;

/** How much of something one message may have, where the sender keeps to it and the receiver refuses more. */
public final class ProtocolBounds {
    /** Replicas in a page of an inventory: about 300 KiB. */
    public static final int INVENTORY_REPLICAS = 10_000;

    /** Ranges of replicas of which an inventory has digests. */
    public static final int INVENTORY_RANGES = 4096;

    /** Replicas that a honeycomb is asked about in one request. */
    public static final int REPLICA_TARGETS = 4096;

    /** Replicas that a check looks at, or has judged, in one request. */
    public static final int REPLICA_LOOKS = 4096;

    /** Entries in a page of a directory. */
    public static final int DIRECTORY_ENTRIES = 4096;

    /** Reads that are told at once. */
    public static final int ACCESSES = 1000;

    /** Requests and locks that one question is about. */
    public static final int EXPLAINED_WAITS = 1000;

    private ProtocolBounds() {}
}
