package org.beefs.simulator.model;

import java.util.List;

/**
 * What a client asks, as the model sees it.
 *
 * @param description for people, with all arguments
 * @param steps what happens, each at its own moment, in this order, until one fails
 * @param changes whether it may change anything
 */
public record Operation(String description, List<Step> steps, boolean changes) {}
