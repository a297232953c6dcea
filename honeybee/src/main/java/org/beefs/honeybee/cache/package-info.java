/** What a desktop knows of names and attributes under leases, and what its kernels were told of it. */
@NullMarked
package org.beefs.honeybee.cache;

import org.jspecify.annotations.NullMarked;
