/** How fast and how small: figures, for people to look at. */
@NullMarked
package org.beefs.queenbee.measurement;

import org.jspecify.annotations.NullMarked;
