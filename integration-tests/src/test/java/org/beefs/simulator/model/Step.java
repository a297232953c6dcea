package org.beefs.simulator.model;

import org.jspecify.annotations.Nullable;

/** A part of an operation that happens at one moment. */
@FunctionalInterface
public interface Step {
    /** Carries it out in the state, if it succeeds. */
    Prediction run(ModelState state, Call call);

    /**
     * The operation that a step belongs to.
     *
     * @param operation its number: what it makes or opens is known by it
     * @param rules what holds in this run
     * @param found the node that an earlier step of it found
     */
    record Call(int operation, Rules rules, @Nullable Long found) {}
}
