/** The system calls that Java's library lacks, through java.lang.foreign. Linux on 64-bit machines only. */
@NullMarked
package org.beefs.common.linux;

import org.jspecify.annotations.NullMarked;
