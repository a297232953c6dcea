/** One class for each request: resolve, check permission, check existence, one change, answer. */
@NullMarked
package org.beefs.queenbee.operations;

import org.jspecify.annotations.NullMarked;
