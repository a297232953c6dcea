/**
 * Primaries that move: to where a file is opened to write, away from desktops that are lost or honeycombs that are
 * left, and from replicas that are rotten or missing. A file's last current replica is never given up. All belongs to
 * the namespace thread.
 */
@NullMarked
package org.beefs.queenbee.replication.primary;

import org.jspecify.annotations.NullMarked;
