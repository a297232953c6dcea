package org.beefs.cli.warmup;

import java.util.List;
import org.beefs.cli.terminal.Visible;
import org.beefs.cli.view.Report;
import org.beefs.common.config.ByteSize;
import org.beefs.common.config.Count;

/**
 * What was brought to a desktop. Its JSON is an interface: fields are added, never renamed.
 *
 * @param files that were found
 * @param bytes of these
 * @param present files that were there before
 * @param brought files that came
 * @param broughtBytes of these
 * @param missing files that are not there
 * @param named the first hundred of these
 */
record WarmupReport(
        long files, long bytes, long present, long brought, long broughtBytes, long missing, List<Missing> named)
        implements Report {
    /** A file that is not there, and why in a sentence that names it. */
    record Missing(String path, String reason) {}

    /** Public because JSON shows it, too. */
    public boolean isComplete() {
        return missing == 0;
    }

    @Override
    public String render() {
        StringBuilder text = new StringBuilder("%s, %s: %d were here, %d came (%s)"
                .formatted(
                        Count.of(files, "file", "files"),
                        new ByteSize(bytes),
                        present,
                        brought,
                        new ByteSize(broughtBytes)));
        named.forEach(file -> text.append('\n').append(Visible.of(file.reason())));
        return text.append(rest()).toString();
    }

    private String rest() {
        return isComplete() ? "." : "%n%d are not here; run it again to go on.".formatted(missing);
    }
}
