package org.beefs.common.metrics;

import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.beefs.common.metrics.Latencies.Reading;

/** How long operations took, by kind. Takes about 10 KB for each kind that there was. Thread-safe. */
public final class OperationTimes<K extends Enum<K>> {
    private final Map<K, Latencies> kinds = new ConcurrentHashMap<>();

    /** One more of a kind took so many nanoseconds. */
    public void took(K kind, long nanos) {
        Latencies known = kinds.get(kind);
        (known == null ? kinds.computeIfAbsent(kind, _ -> new Latencies()) : known).took(nanos);
    }

    /** The times by kind, in lower case, without kinds that there never were. */
    public SortedMap<String, Reading> read() {
        SortedMap<String, Reading> readings = new TreeMap<>();
        kinds.forEach((kind, times) -> readings.put(kind.name().toLowerCase(Locale.ROOT), times.read()));
        return readings;
    }

    /** All kinds together. */
    public Reading total() {
        return kinds.values().stream().map(Latencies::read).reduce(Reading.NOTHING, Reading::plus);
    }
}
