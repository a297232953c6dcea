package org.beefs.cli.queen;

import java.time.ZoneId;
import java.util.List;
import java.util.function.LongFunction;
import org.beefs.cli.view.Json;
import org.beefs.cli.view.Output;
import org.beefs.queenbee.console.model.file.FilePage;
import org.beefs.queenbee.console.model.file.FileView;

/** Shows files that the queen-bee tells of, in one table. For one thread. */
final class FilesShown {
    private final Output output;
    private final FilesView view;

    /** @param paths whether the table has their paths, and not their names */
    FilesShown(Output output, boolean paths) {
        this.output = output;
        view = new FilesView(paths, ZoneId.systemDefault());
    }

    /**
     * Shows all pages, each when it has come.
     *
     * @param pages asks for the page after what the one before has said
     */
    void show(LongFunction<FilePage> pages) {
        Long after = 0L;
        while (after != null) {
            FilePage page = pages.apply(after);
            show(page.files());
            after = page.next();
        }
    }

    void show(List<FileView> files) {
        String text = output.isJson() ? Json.lines(files) : view.render(files);
        if (!text.isEmpty()) {
            output.say(text.stripTrailing());
        }
    }
}
