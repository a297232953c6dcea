package org.beefs.queenbee.console.model.client;

import java.util.Map;

/**
 * What a user has asked of the queen-bee at one desktop.
 *
 * @param user number of the user there; {@code daemon} for what the desktop's daemon does by itself, {@code others} for
 *     the users beyond the first 64
 * @param requests by operation, since the desktop's session began
 */
public record Asked(String desktop, String user, Map<String, Long> requests) {}
