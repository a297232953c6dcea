/**
 * How the console asks the namespace thread: in small parts, one after the other, within bounds. Everything in the
 * model asks by this. Not for that thread itself.
 */
@NullMarked
package org.beefs.queenbee.console.model.question;

import org.jspecify.annotations.NullMarked;
