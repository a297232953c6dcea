package org.beefs.integration.walk;

import java.nio.file.Path;

/**
 * One of the mounts that must always agree.
 *
 * @param name for messages
 * @param root the folder of the walk as this mount shows it
 */
public record Mount(String name, Path root) {}
