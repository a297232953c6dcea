package org.beefs.cli.bench.queen;

/** What the queen-bee is asked, in this order: a paced phase follows the one that finds out how much can be reached. */
enum LoadPhase {
    /** One small request, and when it is answered the next, on one connection while the others rest. */
    ROUND_TRIP("Round trip"),
    /** Names are looked up and attributes asked for, as fast as answers come. */
    LOOK("Look"),
    LOOK_PACED("Look, paced"),
    /** Files are made, closed and removed, likewise. */
    CHANGE("Change"),
    CHANGE_PACED("Change, paced");

    private final String title;

    LoadPhase(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }

    boolean isPaced() {
        return this == LOOK_PACED || this == CHANGE_PACED;
    }

    boolean changes() {
        return this == CHANGE || this == CHANGE_PACED;
    }
}
