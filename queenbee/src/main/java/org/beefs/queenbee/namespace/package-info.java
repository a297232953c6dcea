/** Inodes, directories and permissions in memory; changed by mutations only. */
@NullMarked
package org.beefs.queenbee.namespace;

import org.jspecify.annotations.NullMarked;
