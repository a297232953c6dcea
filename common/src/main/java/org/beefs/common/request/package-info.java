/** Which request a thread works for: what the log lines of three roles have in common. */
@NullMarked
package org.beefs.common.request;

import org.jspecify.annotations.NullMarked;
