/**
 * The native FUSE driver: mounts a file system and puts together what serves it. What it shares with the other driver
 * is in {@code mount}. A request goes through the packages below in one direction: {@code reader}, {@code exchange},
 * {@code operations}, and back by {@code exchange}; all know the {@code protocol}, and none knows this package.
 */
@NullMarked
package org.beefs.honeybee.fuse;

import org.jspecify.annotations.NullMarked;
