/**
 * The files that are open through a mount, and their content: {@link OpenHandles} knows what is open, begins it and
 * ends it, {@link Content} reads and changes it wherever it is by then ({@code CurrentReplicas},
 * {@code PrimaryReplica}), and {@link LocalPins} leaves it to the kernel.
 *
 * <p>What has been changed through a handle is under way until its replica has it, and a handle is released only when
 * nothing is. Thread-safe; no thread waits but for local disks, and no lock is held while another package is called.
 */
@NullMarked
package org.beefs.honeybee.filesystem.content;

import org.jspecify.annotations.NullMarked;
