/** How the console asks the namespace thread: in small parts, one after the other. */
@NullMarked
package org.beefs.queenbee.console.model.question;

import org.jspecify.annotations.NullMarked;
