/** What {@link java.util.concurrent.CompletableFuture} lacks. */
@NullMarked
package org.beefs.common.concurrent;

import org.jspecify.annotations.NullMarked;
