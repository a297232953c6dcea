package org.beefs.integration.walk;

import org.beefs.integration.linux.MappedFile;

/**
 * A shared mapping of a file that the walk holds. The kernel keeps its pages: what other mounts write later need not be
 * seen through it, and must not be overwritten with what is there, so then the walk uses it no more. For one thread.
 */
final class SharedMapping {
    private final Mount mount;
    private final Content content;
    private final MappedFile memory;
    private final String mapped;
    private boolean outdated;

    /** @param mapped mount and path, for messages */
    SharedMapping(Mount mount, Content content, MappedFile memory, String mapped) {
        this.mount = mount;
        this.content = content;
        this.memory = memory;
        this.mapped = mapped;
    }

    Mount mount() {
        return mount;
    }

    Content content() {
        return content;
    }

    MappedFile memory() {
        return memory;
    }

    void changedBy(Mount changer) {
        outdated |= !changer.equals(mount);
    }

    boolean isOutdated() {
        return outdated;
    }

    /** How many bytes may be used: beyond the file's end there is SIGBUS. */
    int usable() {
        return Math.min(memory.length(), content.size());
    }

    @Override
    public String toString() {
        return "mapping of " + mapped;
    }
}
