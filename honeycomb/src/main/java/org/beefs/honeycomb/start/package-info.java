/**
 * What a start finds in the folder, and sets right before anything is served: the catalog after a stop that was not in
 * order, replicas that may be torn by a loss of power, and those that programs still write. One thread, the starting
 * one; nobody has a replica open yet.
 */
@NullMarked
package org.beefs.honeycomb.start;

import org.jspecify.annotations.NullMarked;
