/** Files that the console keeps. */
@NullMarked
package org.beefs.queenbee.console.file;

import org.jspecify.annotations.NullMarked;
