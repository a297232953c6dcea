/** What desktops decide by themselves, beside what the queen-bee says. */
@NullMarked
package org.beefs.integration.delegation;

import org.jspecify.annotations.NullMarked;
