/** System calls as tests make them: in this process, with the errno of each failure. */
@NullMarked
package org.beefs.integration.linux;

import org.jspecify.annotations.NullMarked;
