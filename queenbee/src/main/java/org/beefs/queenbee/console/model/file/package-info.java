/**
 * Files and directories as the console shows them: browsed, searched, counted. {@code FileBrowser} is where the REST
 * interface and the pages ask; what it asks of the namespace thread are small parts. Any thread but that one.
 */
@NullMarked
package org.beefs.queenbee.console.model.file;

import org.jspecify.annotations.NullMarked;
