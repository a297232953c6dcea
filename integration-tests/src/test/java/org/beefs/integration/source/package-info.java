/** Real source packages as test input, and the comparison of trees. */
@NullMarked
package org.beefs.integration.source;

import org.jspecify.annotations.NullMarked;
