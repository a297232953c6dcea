/** Access to the content of replicas, in the same words whether the honeycomb is in this process or far away. */
@NullMarked
package org.beefs.common.replica;

import org.jspecify.annotations.NullMarked;
