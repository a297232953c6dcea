/** The settings of a honeybee, and how long and how many of its operations wait: what all of its packages need. */
@NullMarked
package org.beefs.honeybee;

import org.jspecify.annotations.NullMarked;
