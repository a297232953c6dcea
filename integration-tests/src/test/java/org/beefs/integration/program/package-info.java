/** Programs and the conditions under which they run: deadlines, requirements, folders. */
@NullMarked
package org.beefs.integration.program;

import org.jspecify.annotations.NullMarked;
