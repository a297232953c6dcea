/**
 * What the queen-bee asks of a honeycomb: to remove, examine, seal, adopt and fetch replicas, to list them, to keep
 * records, and to pause.
 */
@NullMarked
package org.beefs.honeycomb.maintenance;

import org.jspecify.annotations.NullMarked;
