package org.beefs.cli.bench.queen;

/** What the queen-bee is asked, in this order: a phase at half the load follows the one that finds the full one. */
enum LoadPhase {
    /** One small request, and when it is answered the next, on one connection while the others rest. */
    ROUND_TRIP("Round trip"),
    /** Names are looked up and attributes asked for, as fast as answers come. */
    LOOK("Look"),
    LOOK_AT_HALF("Look, half"),
    /** Files are made, closed and removed, likewise. */
    CHANGE("Change"),
    CHANGE_AT_HALF("Change, half");

    private final String title;

    LoadPhase(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }

    boolean isAtHalf() {
        return this == LOOK_AT_HALF || this == CHANGE_AT_HALF;
    }

    boolean changes() {
        return this == CHANGE || this == CHANGE_AT_HALF;
    }
}
