package org.beefs.simulator.model;

/**
 * Something that must hold, and does not.
 *
 * @param how in a sentence, for people
 */
public record Breach(Invariant invariant, String how) {
    /** With the rule that is broken. */
    @Override
    public String toString() {
        int number = invariant.number();
        return "%s\n         %s %s"
                .formatted(how, number == 0 ? "Broken:" : "Invariant " + number + ":", invariant.text());
    }
}
