/** What mounts are asked at the moment, how long it takes, and what it waits for. */
@NullMarked
package org.beefs.honeybee.trace;

import org.jspecify.annotations.NullMarked;
