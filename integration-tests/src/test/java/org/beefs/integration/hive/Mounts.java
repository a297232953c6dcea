package org.beefs.integration.hive;

import java.nio.file.Path;

/** Mounts of one hive, for tests that need nothing but places to work in. */
public interface Mounts {
    /**
     * Other mounts of the same hive, for one of several threads: within one mount the kernel lets renames and lookups
     * collide.
     */
    Mounts fresh();

    /** On the first desktop, which has a honeycomb: what is created here has its data here. */
    Path local();

    /** Another mount on the same desktop. */
    Path sameDesktop();

    /** A mount on the second desktop. */
    Path otherDesktop();

    /** A mount on a desktop without honeycomb: all data is remote. */
    Path withoutHoneycomb();

    /** Fails if fsck finds anything in the hive. */
    void assertSound();

    /** A folder on an ordinary file system. */
    Path scratch();
}
