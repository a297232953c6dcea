package org.beefs.queenbee.console.web;

/** One of the console's pages. Thread-safe. Failures are {@link org.beefs.common.posix.PosixException}s. */
interface Page {
    /** In the navigation. */
    String title();

    /** What is between navigation and foot. */
    Html body(PageRequest request);

    /** Whether it is brought up to date while somebody looks. Not where somebody types. */
    default boolean isLive() {
        return true;
    }

    /** Whether only administrators see it. */
    default boolean isRestricted() {
        return false;
    }
}
