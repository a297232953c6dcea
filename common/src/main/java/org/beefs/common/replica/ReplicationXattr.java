package org.beefs.common.replica;

/** Names of the extended attributes that say how a file is replicated. */
public final class ReplicationXattr {
    /** The prefix that all these names begin with. */
    public static final String PREFIX = "beefs.";

    /** How many replicas the file is to have. */
    public static final String REPLICAS = PREFIX + "replicas";

    public static final String TIME_TO_COHERENCE = PREFIX + "time_to_coherence";
    public static final String P_FACTOR = PREFIX + "p_factor";

    /** Only told: which of the three before are its own, as words with spaces between; the others are the hive's. */
    public static final String OWN = PREFIX + "own";

    /**
     * Only told: a line for each replica, with tabs between its desktop, kind, version, epoch, state, and whether it is
     * there.
     */
    public static final String LOCATION = PREFIX + "location";

    /** Only told: the version of the file's content. */
    public static final String VERSION = PREFIX + "version";

    /**
     * Whether the asking desktop's honeycomb has a replica: {@link #CURRENT}, {@link #COMING} or {@link #ABSENT}.
     * Setting it to {@code current} asks for one there.
     */
    public static final String HERE = PREFIX + "here";

    /** It has the newest version, or there is no content. */
    public static final String CURRENT = "current";

    /** It is to have one, and has not the newest version. */
    public static final String COMING = "coming";

    public static final String ABSENT = "absent";

    private ReplicationXattr() {}
}
