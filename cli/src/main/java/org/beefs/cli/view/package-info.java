/** What commands show to people. */
@NullMarked
package org.beefs.cli.view;

import org.jspecify.annotations.NullMarked;
