/** Programs on a mount: random operations, asked of the file system and of the model at once. */
@NullMarked
package org.beefs.simulator.client;

import org.jspecify.annotations.NullMarked;
