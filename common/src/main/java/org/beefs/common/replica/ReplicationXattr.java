package org.beefs.common.replica;

/** Names of the extended attributes that say how a file is replicated. */
public final class ReplicationXattr {
    /** What all begin with. */
    public static final String PREFIX = "beefs.";

    /** How many replicas the file is to have. */
    public static final String REPLICAS = PREFIX + "replicas";

    public static final String TIME_TO_COHERENCE = PREFIX + "time_to_coherence";
    public static final String P_FACTOR = PREFIX + "p_factor";

    /** Only told: which of the three before are its own, as words with spaces between; the others are the hive's. */
    public static final String OWN = PREFIX + "own";

    /** Only told: a line for each replica, with tabs between its desktop, kind, version, epoch, state, and whether it is there. */
    public static final String LOCATION = PREFIX + "location";

    /** Only told: the version of the file's content. */
    public static final String VERSION = PREFIX + "version";

    private ReplicationXattr() {}
}
