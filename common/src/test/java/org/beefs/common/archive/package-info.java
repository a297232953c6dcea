/** Folders in one file, for tests that keep what older programs have written. */
@NullMarked
package org.beefs.common.archive;

import org.jspecify.annotations.NullMarked;
