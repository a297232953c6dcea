/** Who asks, what they hold, and who waits for whom. */
@NullMarked
package org.beefs.queenbee.console.model.client;

import org.jspecify.annotations.NullMarked;
