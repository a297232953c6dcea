/** Wakes desktops that are asleep through their network cards. */
@NullMarked
package org.beefs.queenbee.wake;

import org.jspecify.annotations.NullMarked;
