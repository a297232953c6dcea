/**
 * What the console shows: snapshots, files, events; and what administrators do. The REST interface and the pages know
 * {@code ConsoleModel} and what it hands out. The namespace thread is asked in small parts and never waits for the
 * console; everything here is thread-safe and may wait for it.
 */
@NullMarked
package org.beefs.queenbee.console.model;

import org.jspecify.annotations.NullMarked;
