/**
 * What a file system must answer, independent of BeeFS: a POSIX namespace in memory, and a check of linearizability.
 */
@NullMarked
package org.beefs.simulator.model;

import org.jspecify.annotations.NullMarked;
