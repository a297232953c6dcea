/** What the console shows at first sight, taken every few seconds: the hive, its desktops, and whether all is well. */
@NullMarked
package org.beefs.queenbee.console.model.snapshot;

import org.jspecify.annotations.NullMarked;
