/** The queen-bee's settings as people read them. */
@NullMarked
package org.beefs.queenbee.console.settings;

import org.jspecify.annotations.NullMarked;
