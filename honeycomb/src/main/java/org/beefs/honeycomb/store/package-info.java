/**
 * Replicas: who may use them, in which order, how much space they take, and which version they hold. Their files are
 * what {@link org.beefs.honeycomb.disk} has.
 *
 * <p>Whoever does anything with a replica uses it ({@code OpenReplicas.use}), and then holds its order, shared or
 * exclusively ({@code Replica.holdShared}, {@code holdExclusively}), each in a {@code try} that ends it. Only who goes
 * on using it after the method that began (a pin, a comparison, a slice on its way, seals of a group) leaves it by
 * hand.
 */
@NullMarked
package org.beefs.honeycomb.store;

import org.jspecify.annotations.NullMarked;
