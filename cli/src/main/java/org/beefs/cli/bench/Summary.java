package org.beefs.cli.bench;

import java.util.List;

/**
 * What several measurements of the same thing come to, in seconds.
 *
 * @param median the middle one; the mean of the middle two of an even number
 * @param minimum the fastest
 * @param maximum the slowest
 */
public record Summary(double median, double minimum, double maximum) {
    /** Of at least one measurement. */
    public static Summary of(List<Double> seconds) {
        if (seconds.isEmpty()) {
            throw new IllegalArgumentException("nothing was measured");
        }
        List<Double> sorted = seconds.stream().sorted().toList();
        int middle = sorted.size() / 2;
        double median = sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
        return new Summary(median, sorted.getFirst(), sorted.getLast());
    }

    /** How far fastest and slowest lie apart, as a share of the median. */
    public double spread() {
        return median == 0 ? 0 : (maximum - minimum) / median;
    }

    /** How many times the other's median this one is. */
    public double ratioTo(Summary other) {
        return other.median == 0 ? 1 : median / other.median;
    }
}
