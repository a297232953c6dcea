/** {@code beefs posix-test}: suites that others wrote, run in a directory of any file system. */
@NullMarked
package org.beefs.cli.posixtest;

import org.jspecify.annotations.NullMarked;
