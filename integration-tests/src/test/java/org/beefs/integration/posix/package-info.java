/**
 * What suites check badly, topic by topic: each with content on the desktop itself and elsewhere, and another mount
 * that looks on.
 */
@NullMarked
package org.beefs.integration.posix;

import org.jspecify.annotations.NullMarked;
