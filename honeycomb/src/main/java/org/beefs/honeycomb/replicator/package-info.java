/** Makes secondary replicas: fetches versions of files from the honeycombs that hold them. */
@NullMarked
package org.beefs.honeycomb.replicator;

import org.jspecify.annotations.NullMarked;
