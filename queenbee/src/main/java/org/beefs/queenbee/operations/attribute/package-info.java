/** Attributes and extended attributes, among them a file's replication. */
@NullMarked
package org.beefs.queenbee.operations.attribute;

import org.jspecify.annotations.NullMarked;
