/** A hive whose queen-bee and desktops have a host each, of which links and power fail. */
@NullMarked
package org.beefs.integration.hosts;

import org.jspecify.annotations.NullMarked;
