/**
 * What commands show, as text for people and JSON for scripts: of each thing that is shown, what it is and how it
 * reads. Fields of JSON are added, never renamed. Only the status is asked for here, by threads of its own.
 */
@NullMarked
package org.beefs.cli.view;

import org.jspecify.annotations.NullMarked;
