/** Desktop daemons as the queen-bee knows them: who lives, what was answered to them, what they have open. */
@NullMarked
package org.beefs.queenbee.session;

import org.jspecify.annotations.NullMarked;
