/** The session with the queen-bee: registration, heartbeats, safe retries. */
@NullMarked
package org.beefs.honeybee.queen;

import org.jspecify.annotations.NullMarked;
