/** What every part of the program knows of it: how it ends, and which version it is. */
@NullMarked
package org.beefs.cli.program;

import org.jspecify.annotations.NullMarked;
