/** Counts how often something was done and how long it took, and tells it as Prometheus reads it. */
@NullMarked
package org.beefs.common.metrics;

import org.jspecify.annotations.NullMarked;
