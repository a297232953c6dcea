package org.beefs.queenbee.console.model.file;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some of a directory's entries, or of what was found.
 *
 * @param next where the rest begins; null when there is none
 */
public record FilePage(List<FileView> files, @Nullable Long next) {}
