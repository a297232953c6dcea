/** Programs that lock files, for tests. */
@NullMarked
package org.beefs.integration.lock;

import org.jspecify.annotations.NullMarked;
