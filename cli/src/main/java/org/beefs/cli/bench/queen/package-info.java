/** How much the queen-bee serves, and how fast: sessions that ask her over TCP as those of desktops do. */
@NullMarked
package org.beefs.cli.bench.queen;

import org.jspecify.annotations.NullMarked;
