/**
 * How many replicas a file is to have, and where new ones go: what people have set for it, which honeycombs have room
 * and reach whom, what was promised to them and what they have refused. Knows nothing of requests to copy. All belongs
 * to the namespace thread.
 */
@NullMarked
package org.beefs.queenbee.replication.placement;

import org.jspecify.annotations.NullMarked;
