package org.beefs.cli.file;

import java.util.List;
import org.beefs.cli.terminal.Visible;
import org.beefs.cli.view.Report;

/**
 * What was set in a tree. Its JSON is an interface: fields are added, never renamed.
 *
 * @param changed files and directories that have it now
 * @param unchanged that do not
 * @param named the first hundred of these
 */
record TreeReport(long changed, long unchanged, List<Unchanged> named) implements Report {
    /** What was not changed, and why in a sentence that names it. */
    record Unchanged(String path, String reason) {}

    @Override
    public String render() {
        StringBuilder text = new StringBuilder("%d changed, %d not".formatted(changed, unchanged));
        named.forEach(one -> text.append('\n').append(Visible.of(one.reason())));
        return text.toString();
    }
}
