/**
 * What a mount needs whichever driver serves it: how it is asked for, the place it is made at, who calls it, how often,
 * and its end. The drivers build on this package; it knows neither.
 */
@NullMarked
package org.beefs.honeybee.mount;

import org.jspecify.annotations.NullMarked;
