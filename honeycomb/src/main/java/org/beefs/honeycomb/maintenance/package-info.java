/** What the queen-bee has done on a honeycomb: removing, examining, sealing and listing replicas. */
@NullMarked
package org.beefs.honeycomb.maintenance;

import org.jspecify.annotations.NullMarked;
