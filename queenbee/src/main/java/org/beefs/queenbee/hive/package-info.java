/** The honeycombs: who they are, where new files go, and what the queen-bee has to tell them. */
@NullMarked
package org.beefs.queenbee.hive;

import org.jspecify.annotations.NullMarked;
