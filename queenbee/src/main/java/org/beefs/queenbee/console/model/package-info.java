/** What the console shows: snapshots, files, events; the namespace thread is asked in small parts. */
@NullMarked
package org.beefs.queenbee.console.model;

import org.jspecify.annotations.NullMarked;
