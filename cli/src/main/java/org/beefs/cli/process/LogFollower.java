package org.beefs.cli.process;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** Shows what a daemon writes to its log about one thing, from now on. For one thread. */
final class LogFollower {
    private static final Pattern LINE_END = Pattern.compile("\\R");

    private final Path log;
    private final String topic;
    private final Consumer<String> listener;
    private long read;

    /** @param topic what the lines contain; they are shown from there on */
    LogFollower(Path log, String topic, Consumer<String> listener) {
        this.log = log;
        this.topic = topic;
        this.listener = listener;
        this.read = log.toFile().length();
    }

    /** Shows what has come since the last time, in whole lines. */
    void look() {
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            byte[] fresh = new byte[(int) Math.min(1 << 20, Math.max(0, file.length() - read))];
            file.seek(read);
            file.readFully(fresh);
            String text = new String(fresh, StandardCharsets.UTF_8);
            String whole = text.substring(0, text.lastIndexOf('\n') + 1);
            read += whole.getBytes(StandardCharsets.UTF_8).length;
            LINE_END.splitAsStream(whole)
                    .filter(line -> line.contains(topic))
                    .forEach(line -> listener.accept(line.substring(line.indexOf(topic))));
        } catch (IOException notThereYet) {
            // The daemon has not begun to write it.
        }
    }
}
