/** Faults done to a hive, and workloads that remember what was acknowledged. */
@NullMarked
package org.beefs.integration.faults;

import org.jspecify.annotations.NullMarked;
