/** Options that several commands have, and words and times as they are typed. */
@NullMarked
package org.beefs.cli.option;

import org.jspecify.annotations.NullMarked;
