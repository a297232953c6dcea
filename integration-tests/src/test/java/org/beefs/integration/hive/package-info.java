/** A hive of real processes, as tests see it. */
@NullMarked
package org.beefs.integration.hive;

import org.jspecify.annotations.NullMarked;
