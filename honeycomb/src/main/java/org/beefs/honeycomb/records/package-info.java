/** What the honeycomb keeps of the namespace for the queen-bee, should her own disk be lost. */
@NullMarked
package org.beefs.honeycomb.records;

import org.jspecify.annotations.NullMarked;
