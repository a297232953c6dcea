/**
 * Copies that honeycombs are asked to make: which request each is given next, of what and from where, and which have
 * not been answered. Fetches are made in the background, one request for each honeycomb, or at once for who waits; of
 * files that stay open, at checkpoints. What the answers mean for a file is not decided here. All belongs to the
 * namespace thread.
 */
@NullMarked
package org.beefs.queenbee.replication.fetch;

import org.jspecify.annotations.NullMarked;
