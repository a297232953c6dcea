/** Files and directories as the console shows them: browsed, searched, counted. */
@NullMarked
package org.beefs.queenbee.console.model.file;

import org.jspecify.annotations.NullMarked;
