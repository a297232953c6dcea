/** What a honeycomb knows about itself and about each replica, as it is kept on disk. */
@NullMarked
package org.beefs.honeycomb.state;

import org.jspecify.annotations.NullMarked;
