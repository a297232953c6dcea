package org.beefs.queenbee.hive.inventory;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What comparing a honeycomb's replicas with the namespace comes to. Belongs to the namespace thread. */
public final class InventorySummary {
    private static final Logger LOG = LoggerFactory.getLogger(InventorySummary.class);

    /**
     * A comparison that is complete.
     *
     * @param replicas that were compared
     * @param healed files of which the queen-bee knew something else; they become what the honeycomb tells
     */
    public record Result(Instant at, long replicas, long healed) {}

    private @Nullable Result last;
    private long replicas;
    private long agreed;
    private long removed;
    private long unnoticed;
    private long conflicts;
    private long older;
    private long missing;

    /** A replica was told of. */
    public void seen() {
        replicas++;
    }

    /** So many replicas were told of by digests only, and are as they should be. */
    public void agreed(long number) {
        replicas += number;
        agreed += number;
    }

    /** It belongs to a file that is gone, or is one too many. */
    public void removed() {
        removed++;
    }

    /**
     * It shows that its file was written, or copied, and nobody here knew: the file's attributes are healed by what the
     * honeycomb tells.
     */
    public void unnoticed() {
        unnoticed++;
    }

    /** It is an earlier version than the one that was known to be there on disk. */
    public void older() {
        older++;
    }

    /** So many were not listed that were counted on. */
    public void missing(long number) {
        missing += number;
    }

    /** Its file has moved on without it. */
    public void conflict() {
        conflicts++;
    }

    /** The last one since the queen-bee's start; null before the first. */
    public @Nullable Result last() {
        return last;
    }

    /** It is complete: says so in one line of the log, and begins anew. */
    void complete(String desktop, long unknown, Instant now) {
        LOG.info(
                "{} holds {} replicas, {} of them in ranges that are as they should be: {} are removed, {} were changed unnoticed and heal their files, {} become conflict copies, {} are unknown and kept",
                desktop,
                replicas,
                agreed,
                removed,
                unnoticed,
                conflicts,
                unknown);
        if (older > 0) {
            LOG.warn(
                    "{} replicas on {} are older versions than were on its disk, and are not taken for changes: was its folder, or a part of it,"
                            + " put back from a copy? beefs fsck names them",
                    older,
                    desktop);
        }
        if (missing > 0) {
            LOG.warn(
                    "{} replicas are missing from the honeycomb on {}, and are made anew where the content is still to be had: was its"
                            + " folder, or a part of it, put back from a copy?",
                    missing,
                    desktop);
        }
        last = new Result(now, replicas, unnoticed);
        replicas = 0;
        agreed = 0;
        removed = 0;
        unnoticed = 0;
        conflicts = 0;
        older = 0;
        missing = 0;
    }
}
