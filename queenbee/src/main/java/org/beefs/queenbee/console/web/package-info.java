/** The console's web server and its pages. */
@NullMarked
package org.beefs.queenbee.console.web;

import org.jspecify.annotations.NullMarked;
