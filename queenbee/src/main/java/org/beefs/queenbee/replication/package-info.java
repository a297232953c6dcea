/** Secondary replicas: which files lack some, where these go, and having them made there. */
@NullMarked
package org.beefs.queenbee.replication;

import org.jspecify.annotations.NullMarked;
