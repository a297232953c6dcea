/** Of the hive as a whole: its state, its desktops, checks. */
@NullMarked
package org.beefs.queenbee.operations.hive;

import org.jspecify.annotations.NullMarked;
