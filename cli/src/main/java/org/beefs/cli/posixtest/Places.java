package org.beefs.cli.posixtest;

import java.nio.file.Path;

/**
 * Folders that a suite may use, and nobody else.
 *
 * @param tested on the file system that is tested
 * @param scratch on another one, for configuration and artifacts
 */
public record Places(Path tested, Path scratch) {}
