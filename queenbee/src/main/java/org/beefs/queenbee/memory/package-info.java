/** How much of the queen-bee's heap is used, and what she does before it is full. */
@NullMarked
package org.beefs.queenbee.memory;

import org.jspecify.annotations.NullMarked;
