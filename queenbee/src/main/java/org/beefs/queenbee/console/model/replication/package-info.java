/**
 * What is being copied, what lacks replicas, and what would be missing without some desktops. For the model, the REST
 * interface and the pages; what goes through all files does so in small parts. Any thread but the namespace's.
 */
@NullMarked
package org.beefs.queenbee.console.model.replication;

import org.jspecify.annotations.NullMarked;
