/**
 * Looks for what is not as it should be, part by part while the hive works, and repairs what can be repaired without
 * losing anything.
 */
@NullMarked
package org.beefs.queenbee.check;

import org.jspecify.annotations.NullMarked;
