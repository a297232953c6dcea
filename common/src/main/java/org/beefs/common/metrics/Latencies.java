package org.beefs.common.metrics;

import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;

/** Counts operations by how long they took, in steps of a quarter of a power of two. Thread-safe. */
public final class Latencies {
    private static final int STEPS = 4;

    /** Steps that are counted apart: 2^36 ns, about a minute, and more count as one. */
    private static final int BUCKETS = 37 * STEPS;

    private final LongAdder[] buckets = new LongAdder[BUCKETS];
    private final LongAdder nanos = new LongAdder();

    public Latencies() {
        Arrays.setAll(buckets, _ -> new LongAdder());
    }

    /** Counts one more operation, which took so long. */
    public void took(long time) {
        buckets[bucket(Math.max(1, time))].increment();
        nanos.add(time);
    }

    /** The counts since the start. */
    public Reading read() {
        return new Reading(Arrays.stream(buckets).mapToLong(LongAdder::sum).toArray(), nanos.sum());
    }

    private static int bucket(long nanos) {
        int power = 63 - Long.numberOfLeadingZeros(nanos);
        int step = (int) (((nanos - (1L << power)) * STEPS) >> power);
        return Math.min(power * STEPS + step, BUCKETS - 1);
    }

    /** The longest that counts for a bucket. Nanoseconds. */
    private static long upperBound(int bucket) {
        long power = 1L << (bucket / STEPS);
        return power + power * (bucket % STEPS + 1) / STEPS;
    }

    /** Counts of a moment. Immutable. */
    public static final class Reading {
        public static final Reading NOTHING = new Reading(new long[BUCKETS], 0);

        private final long[] counts;
        private final long nanos;

        private Reading(long[] counts, long nanos) {
            this.counts = counts;
            this.nanos = nanos;
        }

        /** Operations altogether. */
        public long total() {
            return Arrays.stream(counts).sum();
        }

        /** The time that they took altogether. Nanoseconds. */
        public long nanos() {
            return nanos;
        }

        /** The counts of what came after an earlier reading. */
        public Reading since(Reading earlier) {
            long[] more = new long[BUCKETS];
            Arrays.setAll(more, i -> counts[i] - earlier.counts[i]);
            return new Reading(more, nanos - earlier.nanos);
        }

        /** Both together. */
        public Reading plus(Reading other) {
            long[] sum = new long[BUCKETS];
            Arrays.setAll(sum, i -> counts[i] + other.counts[i]);
            return new Reading(sum, nanos + other.nanos);
        }

        /**
         * How long this part of the operations took at most, to a quarter. Nanoseconds; 0 when there were none.
         *
         * @param part above 0, up to 1
         */
        public long percentile(double part) {
            long wanted = (long) Math.ceil(total() * part);
            long seen = 0;
            for (int i = 0; i < BUCKETS && wanted > 0; i++) {
                seen += counts[i];
                if (seen >= wanted) {
                    return upperBound(i);
                }
            }
            return 0;
        }

        /** Operations that took less than this power of two, in nanoseconds. */
        long below(int power) {
            return Arrays.stream(counts, 0, Math.min(power * STEPS, BUCKETS)).sum();
        }
    }
}
