/**
 * The one thread and what is around it: passes, connections, the start. A pass takes requests
 * ({@link org.beefs.queenbee.server.request}) and then sends what the queen-bee has to say herself
 * ({@link org.beefs.queenbee.server.run}).
 */
@NullMarked
package org.beefs.queenbee.server;

import org.jspecify.annotations.NullMarked;
