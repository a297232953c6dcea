/** The honeycomb: replicas of one desktop, kept as plain files. */
@NullMarked
package org.beefs.honeycomb;

import org.jspecify.annotations.NullMarked;
