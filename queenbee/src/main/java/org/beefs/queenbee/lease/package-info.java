/** What sessions may cache: who holds which lease, and what has to be recalled before a change. */
@NullMarked
package org.beefs.queenbee.lease;

import org.jspecify.annotations.NullMarked;
