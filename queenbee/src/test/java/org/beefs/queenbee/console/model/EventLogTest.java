package org.beefs.queenbee.console.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.beefs.queenbee.testing.ManualTime;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is left of events when their file was cut off. */
class EventLogTest {
    @TempDir
    private Path folder;

    private EventLog events;

    @BeforeEach
    void open() {
        events = new EventLog(folder, new ManualTime(), _ -> {});
    }

    private void add(String text) {
        events.add("test", null, text, null);
    }

    private List<String> kept() {
        return events.list(0, null, null, EventLog.MOST).stream()
                .map(event -> event.id() + " " + event.text())
                .toList();
    }

    @Test
    void shouldKeepAllBeforeALineThatEndsWithinACharacter() throws IOException {
        add("first");
        add("second");
        add("ü");
        cutWithinUmlaut();

        open();

        assertThat(kept()).containsExactly("1 first", "2 second");
    }

    @Test
    void shouldNotLoseTheNextEventToALineThatWasCutOff() throws IOException {
        add("first");
        add("ü");
        cutWithinUmlaut();
        open();
        add("next");

        open();

        assertThat(kept()).containsExactly("1 first", "2 next");
    }

    /** As a disk that is full there. */
    private void cutWithinUmlaut() throws IOException {
        Path file = folder.resolve("events.log");
        String before = Files.readString(file).replaceFirst("(?s)ü.*", "");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(before.getBytes(StandardCharsets.UTF_8).length + 1);
        }
    }
}
