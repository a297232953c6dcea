/**
 * How a request is served: it waits in the inbox, its session and an answer given earlier are found, its operation runs
 * or is parked until what it waits for has come, and its reply waits for the batch of its pass, or for a flush. All but
 * the inbox belongs to the namespace thread.
 */
@NullMarked
package org.beefs.queenbee.server.request;

import org.jspecify.annotations.NullMarked;
