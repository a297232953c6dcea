/** The REST interface: routes, their description, problems. */
@NullMarked
package org.beefs.queenbee.console.api;

import org.jspecify.annotations.NullMarked;
