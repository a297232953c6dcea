/** Rules about who may know whom. */
@NullMarked
package org.beefs.architecture;

import org.jspecify.annotations.NullMarked;
