package org.beefs.queenbee.console.model.event;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.beefs.common.time.Clock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/**
 * The last {@link #MOST} events of each kind in memory, so that none pushes out those of another, and in files of lines
 * of JSON: {@code events.log}, and when that has grown to {@link #MOST_BYTES}, {@code events.log.1} with what came
 * before. An event that cannot be written is logged, and kept in memory all the same. Thread-safe.
 */
public final class EventLog {
    static final int MOST = 2000;
    static final long MOST_BYTES = 4 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(EventLog.class);
    private static final ObjectMapper JSON = JsonMapper.shared();

    private final Path file;
    private final Path older;
    private final Clock clock;
    private final Consumer<Event> listener;

    /** By kind. */
    private final Map<String, Deque<Event>> last = new HashMap<>();

    private long lastId;

    /** Whether the file ends, or may end, within a line: a crash or a full disk has cut it off. */
    private boolean cut;

    /**
     * Reads what there was.
     *
     * @param listener hears of each event, in their order; does not block
     */
    public EventLog(Path folder, Clock clock, Consumer<Event> listener) {
        file = folder.resolve("events.log");
        older = folder.resolve("events.log.1");
        this.clock = clock;
        this.listener = listener;
        read(older);
        read(file);
    }

    /** Records what has happened now. */
    public synchronized void add(String kind, @Nullable String desktop, String text, @Nullable String who) {
        String time = clock.now().truncatedTo(ChronoUnit.MILLIS).toString();
        Event event = new Event(lastId + 1, time, kind, desktop, text, who);
        LOG.info("{}{}", who == null ? "" : who + ": ", text);
        keep(event);
        write(event);
        listener.accept(event);
    }

    /** The newest events, the oldest of them first; {@code kind} and {@code desktop} as below. */
    public List<Event> newest(@Nullable String kind, @Nullable String desktop, int most) {
        return list(0, Long.MAX_VALUE, kind, desktop, most);
    }

    /**
     * Events with ids between {@code after} and {@code before}, the oldest first. Of too many the oldest, so that
     * whoever goes on after the last of them misses none; but the newest for whoever knows none, whose {@code after} is
     * 0.
     *
     * @param kind only these; null for all
     * @param desktop only about this one; null for all
     */
    public synchronized List<Event> list(
            long after, long before, @Nullable String kind, @Nullable String desktop, int most) {
        List<Event> found = last.values().stream()
                .flatMap(Deque::stream)
                .filter(event -> event.id() > after && event.id() < before)
                .filter(event -> kind == null || kind.equals(event.kind()))
                .filter(event -> desktop == null || desktop.equals(event.desktop()))
                .sorted(Comparator.comparingLong(Event::id))
                .toList();
        int number = Math.min(most, found.size());
        return after > 0 ? found.subList(0, number) : found.subList(found.size() - number, found.size());
    }

    private void keep(Event event) {
        lastId = Math.max(lastId, event.id());
        Deque<Event> ofKind = last.computeIfAbsent(event.kind(), _ -> new ArrayDeque<>());
        ofKind.add(event);
        if (ofKind.size() > MOST) {
            ofKind.remove();
        }
    }

    private void write(Event event) {
        try {
            if (Files.exists(file) && Files.size(file) > MOST_BYTES) {
                Files.move(file, older, StandardCopyOption.ATOMIC_MOVE);
            }
            String line = (cut ? "\n" : "") + JSON.writeValueAsString(event) + "\n";
            Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            cut = false;
        } catch (IOException e) {
            cut = true;
            LOG.warn("an event cannot be written to {}: {}", file, e.toString());
        }
    }

    /** What is not understood, such as a line that was cut off, also within a character, is left out. */
    private void read(Path from) {
        if (!Files.exists(from)) {
            return;
        }
        try {
            String text = new String(Files.readAllBytes(from), StandardCharsets.UTF_8);
            text.lines().forEach(this::take);
            cut = !text.isEmpty() && !text.endsWith("\n");
        } catch (IOException e) {
            LOG.warn("events cannot be read from {}: {}", from, e.toString());
        }
    }

    private void take(String line) {
        try {
            keep(JSON.readValue(line, Event.class));
        } catch (JacksonException e) {
            LOG.debug("a line of {} is no event: {}", file, e.getOriginalMessage());
        }
    }
}
