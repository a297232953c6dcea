/** A real browser that looks at the console: Debian's Chromium without a screen. */
@NullMarked
package org.beefs.integration.browser;

import org.jspecify.annotations.NullMarked;
