/** The queen-bee: namespace, journal, sessions and the hive of honeycombs. */
@NullMarked
package org.beefs.queenbee;

import org.jspecify.annotations.NullMarked;
