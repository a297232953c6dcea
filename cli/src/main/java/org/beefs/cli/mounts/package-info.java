/** Mounts as the kernel lists them, and taking them away, also when nobody serves them any more. */
@NullMarked
package org.beefs.cli.mounts;

import org.jspecify.annotations.NullMarked;
