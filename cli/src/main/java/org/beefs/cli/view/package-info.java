/**
 * What commands show, as text for people and JSON for scripts, and where they write it
 * ({@link org.beefs.cli.view.Output}). Fields of JSON are added, never renamed. What only one room shows is in that
 * room. Only the status is asked for here, by threads of its own.
 */
@NullMarked
package org.beefs.cli.view;

import org.jspecify.annotations.NullMarked;
