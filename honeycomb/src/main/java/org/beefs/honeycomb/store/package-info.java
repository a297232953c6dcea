/**
 * Replicas: who may use them, in which order, how much space they take, and which version they hold. Their files are
 * what {@link org.beefs.honeycomb.disk} has.
 */
@NullMarked
package org.beefs.honeycomb.store;

import org.jspecify.annotations.NullMarked;
