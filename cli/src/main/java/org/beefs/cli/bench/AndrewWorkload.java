package org.beefs.cli.bench;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The Andrew benchmark: a tree that is copied, looked at, read, and built.
 *
 * @param build for the shell, in the copy; empty if nothing is built
 */
record AndrewWorkload(SourceTree source, String build) implements Workload {
    private static final int BUFFER = 128 * 1024;
    private static final byte SOUGHT = 'Q';
    private static final String MKDIR = "for folder; do mkdir \"./$folder\" || exit; done";

    /** So many names are always short enough for one command. */
    private static final int FOLDERS = 256;

    @Override
    public Subject subject() {
        return Subject.of(source, build);
    }

    @Override
    public List<Phase> phases() {
        Phase.Work look = folder -> FolderWalk.through(copy(folder), _ -> {});
        Phase.Work read = folder -> FolderWalk.through(copy(folder), AndrewWorkload::search);
        List<Phase> phases = new ArrayList<>(List.of(
                Phase.of("Mkdir", folder -> makeFolders(copy(folder))),
                Phase.of("Copy", folder -> copyFiles(copy(folder))),
                Phase.cold("Stat", look),
                Phase.cold("Grep", read),
                Phase.of("Stat", look),
                Phase.of("Grep", read)));
        if (!build.isEmpty()) {
            phases.add(new Phase(
                    "Compile", Phase.Kind.LONG, folder -> ShellCommand.of(build).run(copy(folder))));
        }
        return phases;
    }

    private static Path copy(Path folder) {
        return folder.resolve("copy");
    }

    /** By one mkdir(1) for each, as in Andrew's script: so a plain folder pays for processes too. */
    private void makeFolders(Path copy) throws IOException, InterruptedException {
        Files.createDirectory(copy);
        for (int from = 0; from < source.folders().size(); from += FOLDERS) {
            int to = Math.min(from + FOLDERS, source.folders().size());
            ShellCommand.of(MKDIR, source.folders().subList(from, to).toArray(Path[]::new))
                    .run(copy);
        }
    }

    /** With their modes, and neither owners nor times, as {@code cp -r} does. */
    private void copyFiles(Path copy) throws IOException, InterruptedException {
        for (Path relative : source.files()) {
            Workload.goOnUnlessInterrupted();
            Files.copy(source.top().resolve(relative), copy.resolve(relative), LinkOption.NOFOLLOW_LINKS);
        }
    }

    /** Looks at every byte; answers how often what is sought is there. */
    private static int search(Path file) throws IOException {
        byte[] buffer = new byte[BUFFER];
        try (InputStream input = Files.newInputStream(file)) {
            int found = 0;
            for (int count = input.read(buffer); count > 0; count = input.read(buffer)) {
                found += occurrences(buffer, count);
            }
            return found;
        }
    }

    private static int occurrences(byte[] buffer, int count) {
        int found = 0;
        for (int i = 0; i < count; i++) {
            if (buffer[i] == SOUGHT) {
                found++;
            }
        }
        return found;
    }
}
