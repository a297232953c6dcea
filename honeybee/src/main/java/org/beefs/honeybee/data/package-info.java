/** Content: replicas in this process's honeycomb or in another desktop's, through one interface. */
@NullMarked
package org.beefs.honeybee.data;

import org.jspecify.annotations.NullMarked;
