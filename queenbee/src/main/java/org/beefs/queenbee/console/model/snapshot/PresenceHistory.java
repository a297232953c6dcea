package org.beefs.queenbee.console.model.snapshot;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.beefs.common.posix.PosixException;
import org.beefs.queenbee.console.file.JsonFile;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * When desktops' honeycombs were awake, asleep and lost in the last days. In memory, and every {@link #SAVED_EVERY} as
 * a whole in {@code presence.json}, so a queen-bee that dies loses at most that. While she does not look, which a gap
 * between two looks shows, nothing is known. Thread-safe.
 */
public final class PresenceHistory {
    static final Duration KEPT = Duration.ofDays(7);

    /** Changes of one desktop; of more the newest. */
    static final int MOST_CHANGES = 200;

    private static final int MOST_DESKTOPS = 10_000;
    private static final Duration SAVED_EVERY = Duration.ofMinutes(5);

    /** Snapshots come every few seconds; a short restart is not worth a gap. */
    private static final Duration GAP = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(PresenceHistory.class);

    /** The file. Times are seconds since 1970. */
    record Contents(long seen, Map<String, List<Change>> desktops) {
        Contents {
            desktops.values().forEach(List::copyOf); // fails where something is missing
        }
    }

    /** The presence that a desktop had from a moment on. */
    record Change(long since, String presence) {
        Change {
            Objects.requireNonNull(presence);
        }
    }

    private final JsonFile<Contents> file;

    // Guarded by this.
    private final Map<String, Deque<Change>> desktops = new HashMap<>();

    /** When the hive was looked at last. */
    private long seen;

    private long saved;

    public PresenceHistory(Path folder) {
        file = new JsonFile<>(folder.resolve("presence.json"), Contents.class);
        file.readOrMoveAside().ifPresent(contents -> {
            seen = contents.seen();
            contents.desktops().forEach((desktop, changes) -> desktops.put(desktop, new ArrayDeque<>(changes)));
        });
    }

    /** Takes what is so now. */
    public synchronized void see(Instant time, List<DesktopView> views) {
        long now = time.getEpochSecond();
        if (seen - now > GAP.toSeconds()) {
            desktops.values().forEach(changes -> bringBack(changes, now));
        }
        saved = Math.min(saved, now);
        if (seen != 0 && now - seen > GAP.toSeconds()) {
            desktops.values().forEach(changes -> add(changes, seen, PresencePeriod.NOT_SEEN));
        }
        Map<String, String> present = presences(views);
        present.keySet().stream()
                .filter(desktop -> desktops.size() < MOST_DESKTOPS)
                .forEach(desktop -> desktops.putIfAbsent(desktop, new ArrayDeque<>()));
        desktops.forEach(
                (desktop, changes) -> add(changes, now, present.getOrDefault(desktop, PresencePeriod.NOT_SEEN)));
        seen = now;
        long oldest = now - KEPT.toSeconds();
        desktops.values().forEach(changes -> forget(changes, oldest));
        desktops.values().removeIf(changes -> isOver(changes, oldest));
        if (now - saved >= SAVED_EVERY.toSeconds()) {
            save();
        }
    }

    /** The oldest first; empty for a desktop without honeycomb. */
    public synchronized List<PresencePeriod> of(String desktop) {
        List<PresencePeriod> periods = new ArrayList<>();
        @Nullable Change last = null;
        for (Change change : desktops.getOrDefault(desktop, new ArrayDeque<>())) {
            if (last != null) {
                periods.add(period(last, time(change.since())));
            }
            last = change;
        }
        if (last != null) {
            periods.add(period(last, null));
        }
        return periods;
    }

    /** Writes it down now. */
    public synchronized void save() {
        saved = seen;
        try {
            file.write(new Contents(
                    seen,
                    desktops.entrySet().stream()
                            .collect(Collectors.toMap(Map.Entry::getKey, entry -> List.copyOf(entry.getValue())))));
        } catch (PosixException e) {
            LOG.warn("the history of presence is not kept over a restart: {}", e.getMessage());
        }
    }

    private static Map<String, String> presences(List<DesktopView> views) {
        return views.stream()
                .filter(DesktopView::hasHoneycomb)
                .collect(Collectors.toMap(DesktopView::name, DesktopView::presence));
    }

    /** Nothing changes later than now: the clock was ahead. */
    private static void bringBack(Deque<Change> changes, long now) {
        Change last = changes.peekLast();
        if (last != null && last.since() > now) {
            changes.removeIf(change -> change.since() > now);
            add(changes, now, last.presence());
        }
    }

    private static void add(Deque<Change> changes, long since, String presence) {
        Change last = changes.peekLast();
        if (last == null) {
            changes.add(new Change(since, presence));
        } else if (!last.presence().equals(presence)) {
            changes.add(new Change(Math.max(last.since(), since), presence)); // clocks are set back
        }
        if (changes.size() > MOST_CHANGES) {
            changes.remove();
        }
    }

    /** Forgets what was before a moment: a period that began earlier begins then. */
    private static void forget(Deque<Change> changes, long oldest) {
        Change first = changes.peek();
        while (first != null && first.since() < oldest) {
            changes.remove();
            Change next = changes.peek();
            if (next == null || next.since() > oldest) {
                changes.addFirst(new Change(oldest, first.presence()));
                return;
            }
            first = next;
        }
    }

    /** Whether the desktop was not seen all the while, and need not be remembered. */
    private static boolean isOver(Deque<Change> changes, long oldest) {
        return changes.size() == 1 && changes.element().equals(new Change(oldest, PresencePeriod.NOT_SEEN));
    }

    private static PresencePeriod period(Change change, @Nullable String until) {
        return new PresencePeriod(change.presence(), time(change.since()), until);
    }

    private static String time(long seconds) {
        return Instant.ofEpochSecond(seconds).toString();
    }
}
