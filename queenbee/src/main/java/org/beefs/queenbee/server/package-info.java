/** The one thread and what is around it: inbox, passes, parked requests, connections. */
@NullMarked
package org.beefs.queenbee.server;

import org.jspecify.annotations.NullMarked;
