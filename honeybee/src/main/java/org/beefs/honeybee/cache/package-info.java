/**
 * What a desktop knows of names and attributes under leases, and what its kernels were told of it.
 * {@link MetadataCache} is its entrance, {@link CacheView} that of a mount.
 *
 * <ul>
 *   <li>Kept: {@code NodeTable}, {@code DirectoryTable}, {@code WriteLeases}, while {@code LeaseTerm} lasts.
 *       {@code CacheFiller} fills them from what the queen-bee answers, {@code CachedAnswers} answers from them in her
 *       place.
 *   <li>Changes under way: {@code EffectsUnderWay}, by their {@code Effects}.
 *   <li>Decided here before she is asked: {@code Decider}, under {@code Delegations}, with numbers of
 *       {@link InodeSupply}; {@link Decided} is the outcome.
 *   <li>Kernels: {@code KernelKnowledge} says what they may keep and notes it ({@code Told}); an {@code Update}
 *       collects what they must forget, and {@code Kernels} tells them.
 * </ul>
 *
 * <p>One lock, that of {@link MetadataCache}, guards all that is not said to be thread-safe; it is why this is one
 * package. Nothing is waited for, and no kernel is told anything, under it.
 */
@NullMarked
package org.beefs.honeybee.cache;

import org.jspecify.annotations.NullMarked;
