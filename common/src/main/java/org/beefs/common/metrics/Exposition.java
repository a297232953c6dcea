package org.beefs.common.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.beefs.common.metrics.Latencies.Reading;

/**
 * What a process tells Prometheus: figures that are looked up when it asks, and those of the JVM. Names are complete as
 * Prometheus has them, but for the {@code _total} of counters, which is added. Thread-safe when all have been declared.
 */
public final class Exposition implements AutoCloseable {
    public static final String MEDIA_TYPE = "application/openmetrics-text; version=1.0.0; charset=utf-8";

    /** Buckets end at powers of two: at 16 µs the first, at 17 s the last but one, which has no end. */
    private static final int FIRST_BUCKET = 14;

    private static final int LAST_BUCKET = 34;
    private static final double NANOS_PER_SECOND = 1e9;

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics collections = new JvmGcMetrics();

    /** An exposition with the figures of the JVM. */
    public Exposition() {
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        collections.bindTo(registry);
    }

    /** A figure that goes up and down. */
    public void gauge(String name, String help, Supplier<Number> value) {
        Gauge.builder(name, value).description(help).register(registry);
    }

    /** The same; left out while it is empty. */
    public void gaugeIfKnown(String name, String help, Supplier<? extends Optional<? extends Number>> value) {
        register(() -> {
            GaugeSnapshot.Builder gauge = GaugeSnapshot.builder().name(name).help(help);
            value.get()
                    .ifPresent(known -> gauge.dataPoint(GaugeDataPointSnapshot.builder()
                            .value(known.doubleValue())
                            .build()));
            return gauge.build();
        });
    }

    /** The same for each of several things. */
    public void gauges(
            String name, String help, String label, Supplier<? extends Map<String, ? extends Number>> values) {
        register(() -> {
            GaugeSnapshot.Builder gauge = GaugeSnapshot.builder().name(name).help(help);
            values.get()
                    .forEach((key, value) -> gauge.dataPoint(GaugeDataPointSnapshot.builder()
                            .labels(Labels.of(label, key))
                            .value(value.doubleValue())
                            .build()));
            return gauge.build();
        });
    }

    /** A figure that only goes up. */
    public void counter(String name, String help, Supplier<Long> value) {
        counterIfKnown(name, help, () -> Optional.of(value.get()));
    }

    /** The same; left out while it is empty. */
    public void counterIfKnown(String name, String help, Supplier<Optional<Long>> value) {
        register(() -> {
            CounterSnapshot.Builder counter =
                    CounterSnapshot.builder().name(name).help(help);
            value.get()
                    .ifPresent(known -> counter.dataPoint(
                            CounterDataPointSnapshot.builder().value(known).build()));
            return counter.build();
        });
    }

    /** The same for each of several things. */
    public void counters(String name, String help, String label, Supplier<? extends Map<String, Long>> values) {
        register(() -> {
            CounterSnapshot.Builder counter =
                    CounterSnapshot.builder().name(name).help(help);
            values.get()
                    .forEach((key, value) -> counter.dataPoint(CounterDataPointSnapshot.builder()
                            .labels(Labels.of(label, key))
                            .value(value)
                            .build()));
            return counter.build();
        });
    }

    /** How long operations took, by kind, as a histogram in seconds. */
    public void times(String name, String help, Supplier<? extends Map<String, Reading>> readings) {
        register(() -> {
            HistogramSnapshot.Builder histogram =
                    HistogramSnapshot.builder().name(name).help(help);
            readings.get()
                    .forEach((kind, reading) -> histogram.dataPoint(HistogramDataPointSnapshot.builder()
                            .labels(Labels.of("operation", kind))
                            .classicHistogramBuckets(buckets(reading))
                            .sum(reading.nanos() / NANOS_PER_SECOND)
                            .build()));
            return histogram.build();
        });
    }

    /** All of it, in the form of {@link #MEDIA_TYPE}. */
    public String text() {
        return registry.scrape(MEDIA_TYPE);
    }

    @Override
    public void close() {
        collections.close();
        registry.close();
    }

    private void register(Collector collector) {
        registry.getPrometheusRegistry().register(collector);
    }

    private static ClassicHistogramBuckets buckets(Reading reading) {
        ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
        long told = 0;
        for (int power = FIRST_BUCKET; power <= LAST_BUCKET; power++) {
            long below = reading.below(power);
            buckets.bucket((1L << power) / NANOS_PER_SECOND, below - told);
            told = below;
        }
        return buckets.bucket(Double.POSITIVE_INFINITY, reading.total() - told).build();
    }
}
