/** Benchmarks that compare directories on different file systems, phase by phase, in the same minutes. */
@NullMarked
package org.beefs.cli.bench;

import org.jspecify.annotations.NullMarked;
