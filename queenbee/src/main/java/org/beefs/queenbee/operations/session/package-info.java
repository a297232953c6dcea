/** Sessions, from registration to end, and what a desktop brings with them. */
@NullMarked
package org.beefs.queenbee.operations.session;

import org.jspecify.annotations.NullMarked;
