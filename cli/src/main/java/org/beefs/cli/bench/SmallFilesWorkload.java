package org.beefs.cli.bench;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.stream.IntStream;

/** Empty files in one folder: what names and opens cost, without content. */
record SmallFilesWorkload(int files) implements Workload {
    private static final List<Phase> PHASES = List.of(Phase.CREATE, Phase.STAT, Phase.OPEN, Phase.UNLINK);

    @Override
    public List<Phase> phases() {
        return PHASES;
    }

    @Override
    public Subject subject() {
        return new Subject("empty files", 0, files, 0, "");
    }

    @Override
    public void run(Phase phase, Path folder) throws IOException, InterruptedException {
        for (Path file : IntStream.range(0, files)
                .mapToObj(number -> folder.resolve("file" + number))
                .toList()) {
            Workload.goOnUnlessInterrupted();
            one(phase, file);
        }
    }

    private static void one(Phase phase, Path file) throws IOException {
        switch (phase) {
            case CREATE -> Files.createFile(file);
            case STAT -> Files.readAttributes(file, BasicFileAttributes.class);
            case OPEN -> FileChannel.open(file, StandardOpenOption.READ).close();
            case UNLINK -> Files.delete(file);
            default -> throw new IllegalArgumentException(phase + " is not done to small files");
        }
    }
}
