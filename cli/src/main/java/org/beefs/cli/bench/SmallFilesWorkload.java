package org.beefs.cli.bench;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** Empty files in one folder: what names and opens cost, without content. */
record SmallFilesWorkload(int files) implements Workload {
    @Override
    public Subject subject() {
        return new Subject("empty files", 0, files, 0, "");
    }

    @Override
    public List<Phase> phases() {
        return List.of(
                each("Create", Files::createFile),
                Phase.cold("List", SmallFilesWorkload::list),
                Phase.of("List", SmallFilesWorkload::list),
                each("Stat", FolderWalk::look),
                each(
                        "Open",
                        file -> FileChannel.open(file, StandardOpenOption.READ).close()),
                each("Unlink", Files::delete),
                Phase.of("Cycle", folder -> cycle(folder, 1)),
                Phase.of("Cycle by 2", folder -> cycle(folder, 2)));
    }

    private Phase each(String title, FolderWalk.FileAction action) {
        return Phase.of(title, folder -> {
            for (int number = 0; number < files; number++) {
                Workload.goOnUnlessInterrupted();
                action.on(folder.resolve("file" + number));
            }
        });
    }

    /** All names, with what stat(2) shows of each. */
    private static void list(Path folder) throws IOException, InterruptedException {
        FolderWalk.through(folder, _ -> {});
    }

    /**
     * Makes each file, closes it and removes it again before the next one: several, each in a folder of its own, as
     * many files altogether.
     */
    private void cycle(Path folder, int jobs) throws IOException, InterruptedException {
        Jobs.run(jobs, job -> {
            Path own = Files.createDirectory(folder.resolve("job" + job + "of" + jobs));
            for (int number = job; number < files; number += jobs) {
                Workload.goOnUnlessInterrupted();
                Path file = own.resolve("file" + number);
                Files.createFile(file);
                Files.delete(file);
            }
        });
    }
}
