package org.beefs.queenbee.console.model.client;

/**
 * How much a desktop holds for its programs.
 *
 * @param leases names and attributes that it keeps because nobody changes them without asking it
 * @param locks on files
 */
public record Holdings(long leases, long locks) {
    public static final Holdings NONE = new Holdings(0, 0);
}
