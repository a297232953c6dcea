package org.beefs.queenbee.hive;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What one comparison of a honeycomb's replicas with the namespace has come to, for the log. Belongs to the namespace thread. */
public final class InventorySummary {
    private static final Logger LOG = LoggerFactory.getLogger(InventorySummary.class);

    private long replicas;
    private long removed;
    private long unnoticed;
    private long conflicts;

    /** A replica was told of. */
    public void seen() {
        replicas++;
    }

    /** It belongs to a file that is gone, or is one too many. */
    public void removed() {
        removed++;
    }

    /** It shows that its file was written, or copied, and nobody here knew: the file's attributes are healed by what the honeycomb tells. */
    public void unnoticed() {
        unnoticed++;
    }

    /** Its file has moved on without it. */
    public void conflict() {
        conflicts++;
    }

    /** Says so in one line, and begins anew. */
    void tell(String desktop, long unknown) {
        LOG.info(
                "{} holds {} replicas: {} are removed, {} were changed unnoticed and heal their files, {} become conflict copies, {} are unknown and kept",
                desktop,
                replicas,
                removed,
                unnoticed,
                conflicts,
                unknown);
        replicas = 0;
        removed = 0;
        unnoticed = 0;
        conflicts = 0;
    }
}
