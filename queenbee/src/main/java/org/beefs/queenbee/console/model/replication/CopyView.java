package org.beefs.queenbee.console.model.replication;

import java.util.List;

/**
 * What is copied to a desktop, and what leaves it. Its JSON is an interface: fields are added, never renamed.
 *
 * @param files that it is copying now
 * @param bytes of these
 * @param seconds since it began with these
 * @param examples paths of some of these
 * @param waiting files that it is to copy after these
 * @param leaving its replicas that are to leave because it is short of space
 */
public record CopyView(
        String desktop, long files, long bytes, long seconds, List<String> examples, long waiting, long leaving) {}
