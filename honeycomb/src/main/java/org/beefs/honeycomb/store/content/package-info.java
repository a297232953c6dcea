/**
 * The content of replica files: how it is moved between them and buffers, what its checksums are, and how it comes to
 * disk. Whose file it is, and who may use it when, the store knows; here one file is like another.
 */
@NullMarked
package org.beefs.honeycomb.store.content;

import org.jspecify.annotations.NullMarked;
