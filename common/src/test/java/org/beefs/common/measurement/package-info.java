/** Tests that print figures; they run only when they are asked for. */
@NullMarked
package org.beefs.common.measurement;

import org.jspecify.annotations.NullMarked;
