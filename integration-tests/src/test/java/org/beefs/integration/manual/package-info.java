/** The manual for administrators, and machines on which its commands are run. */
@NullMarked
package org.beefs.integration.manual;

import org.jspecify.annotations.NullMarked;
