/** What is being copied, what lacks replicas, and what would be missing without some desktops. */
@NullMarked
package org.beefs.queenbee.console.model.replication;

import org.jspecify.annotations.NullMarked;
