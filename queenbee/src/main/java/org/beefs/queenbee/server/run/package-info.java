/**
 * What the queen-bee sends by herself, and takes the answers of: errands, copies and records to honeycombs, recalls and
 * granted locks to desktops. What is to be sent others decide; here it is run. Answers come back through the inbox. All
 * belongs to the namespace thread.
 */
@NullMarked
package org.beefs.queenbee.server.run;

import org.jspecify.annotations.NullMarked;
