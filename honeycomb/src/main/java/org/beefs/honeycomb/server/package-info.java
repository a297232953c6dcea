/** A honeycomb's replicas for honeybees elsewhere. */
@NullMarked
package org.beefs.honeycomb.server;

import org.jspecify.annotations.NullMarked;
