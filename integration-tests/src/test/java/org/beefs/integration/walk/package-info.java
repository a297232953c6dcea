/** The random walk over several mounts, checked against a model in memory. */
@NullMarked
package org.beefs.integration.walk;

import org.jspecify.annotations.NullMarked;
