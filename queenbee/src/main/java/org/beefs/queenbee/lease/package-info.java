/**
 * What sessions may cache: who holds which lease, and what has to be recalled before a change. And what a parked
 * request waits for: that others let go, or an occasion that whoever brings it about tells {@link Occasions}.
 * {@link ParkedQuestions} says for how long those wait that wait for copies or for room. Everything here belongs to the
 * namespace thread.
 */
@NullMarked
package org.beefs.queenbee.lease;

import org.jspecify.annotations.NullMarked;
