package org.beefs.queenbee.console.api;

import java.util.Map;
import org.beefs.queenbee.console.login.Principal;

/**
 * A request of the REST interface, however it came.
 *
 * @param path with {@link Api#ROOT}, still encoded
 * @param query decoded; of several values with one name the last
 * @param body JSON; empty if there is none
 */
public record ApiRequest(String method, String path, Map<String, String> query, String body, Principal who) {}
