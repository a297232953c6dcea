/** Reads all replicas in the background and compares them with their checksums. */
@NullMarked
package org.beefs.honeycomb.scrub;

import org.jspecify.annotations.NullMarked;
