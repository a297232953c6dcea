package org.beefs.queenbee.console.login;

/**
 * What has come of a button, for the page that is shown next.
 *
 * @param text a sentence; empty if there is nothing to say
 * @param done whether it was done, or is under way
 */
public record Note(String text, boolean done) {
    /** Nothing to say. */
    public static final Note NONE = new Note("", true);
}
