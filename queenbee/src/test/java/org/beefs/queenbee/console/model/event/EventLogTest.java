package org.beefs.queenbee.console.model.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import org.beefs.queenbee.testing.ManualTime;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is kept of events, also when their file was cut off. */
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
        return events.newest(null, null, EventLog.MOST).stream()
                .map(event -> event.id() + " " + event.text())
                .toList();
    }

    @Test
    void shouldBoundEventsInMemoryAndOnDisk() throws IOException {
        String text = "x".repeat(4200);
        for (int i = 0; i < EventLog.MOST + 100; i++) {
            add(text);
        }

        assertThat(events.newest(null, null, Integer.MAX_VALUE)).hasSize(EventLog.MOST);
        assertThat(events.newest(null, null, 3)).hasSize(3);
        assertThat(Files.size(folder.resolve("events.log"))).isLessThan(EventLog.MOST_BYTES + 20_000);
        assertThat(Files.size(folder.resolve("events.log.1"))).isLessThan(EventLog.MOST_BYTES + 20_000);
        try (var files = Files.list(folder)) {
            assertThat(files.filter(file -> file.getFileName().toString().startsWith("events")))
                    .hasSize(2);
        }
    }

    /** Who can cause those of one kind cannot hide who has done what. */
    @Test
    void shouldKeepEachKindHoweverManyThereAreOfAnother() {
        events.add("action", "desk4", "desk4 is declared lost", "me");
        for (int i = 0; i <= EventLog.MOST; i++) {
            add("event");
        }
        events.add("action", "desk5", "desk5 is draining", "me");

        assertActions();
        open();
        assertActions();
    }

    private void assertActions() {
        assertThat(events.newest("action", null, 10))
                .extracting(Event::text)
                .containsExactly("desk4 is declared lost", "desk5 is draining");
        assertThat(events.newest(null, null, Integer.MAX_VALUE))
                .hasSize(EventLog.MOST + 2)
                .isSortedAccordingTo(Comparator.comparingLong(Event::id));
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
