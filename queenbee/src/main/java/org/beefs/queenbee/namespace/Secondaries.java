package org.beefs.queenbee.namespace;

import java.util.Arrays;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * In which honeycombs a file has secondary replicas, and by how much the version of each is lower than the newest. So those of
 * many files are equal, and can be one object. Of a file that promises to be on several disks also what the last version was that kept the
 * promise, unless the newest does. Immutable.
 */
public final class Secondaries {
    /** Of what has none. */
    public static final Secondaries NONE = new Secondaries(new int[0], new long[0], null);

    private final int[] honeycombs;
    private final long[] lags;
    private final @Nullable SecuredVersion secured;

    private Secondaries(int[] honeycombs, long[] lags, @Nullable SecuredVersion secured) {
        this.honeycombs = honeycombs;
        this.lags = lags;
        this.secured = secured;
    }

    /** The last version that was on enough honeycombs; null if that is the newest, or there never was one. */
    public @Nullable SecuredVersion secured() {
        return secured;
    }

    Secondaries securedBy(@Nullable SecuredVersion version) {
        return new Secondaries(honeycombs, lags, version);
    }

    public int size() {
        return honeycombs.length;
    }

    public boolean isEmpty() {
        return honeycombs.length == 0;
    }

    /** Numbers of the honeycombs, in the order in which they were chosen. */
    public IntStream honeycombs() {
        return Arrays.stream(honeycombs);
    }

    /** Numbers of the honeycombs whose replicas are the newest committed version. */
    public IntStream current() {
        return IntStream.range(0, honeycombs.length).filter(i -> lags[i] == 0).map(i -> honeycombs[i]);
    }

    /** How many are the newest committed version. */
    public int countCurrent() {
        int count = 0;
        for (long lag : lags) {
            count += lag == 0 ? 1 : 0;
        }
        return count;
    }

    public boolean isCurrent(int honeycomb) {
        int index = indexOf(honeycomb);
        return index >= 0 && lags[index] == 0;
    }

    public boolean has(int honeycomb) {
        return indexOf(honeycomb) >= 0;
    }

    /** By how much the version there is lower than the newest; there must be one. */
    public long lag(int honeycomb) {
        return lags[indexOf(honeycomb)];
    }

    /** Whether all are the newest version. */
    public boolean areCurrent() {
        return Arrays.stream(lags).allMatch(lag -> lag == 0);
    }

    Secondaries with(int honeycomb, long lag) {
        int known = indexOf(honeycomb);
        int at = known >= 0 ? known : honeycombs.length;
        int length = Math.max(honeycombs.length, at + 1);
        int[] numbers = Arrays.copyOf(honeycombs, length);
        long[] behind = Arrays.copyOf(lags, length);
        numbers[at] = honeycomb;
        behind[at] = lag;
        return new Secondaries(numbers, behind, secured);
    }

    Secondaries without(int honeycomb) {
        int[] left = IntStream.range(0, honeycombs.length)
                .filter(i -> honeycombs[i] != honeycomb)
                .toArray();
        return left.length == 0
                ? NONE
                : new Secondaries(
                        Arrays.stream(left).map(i -> honeycombs[i]).toArray(),
                        Arrays.stream(left).mapToLong(i -> lags[i]).toArray(),
                        secured);
    }

    /** The newest version is so much higher than the last, or lower by as much below 0. */
    Secondaries behindBy(long more) {
        return isEmpty()
                ? NONE
                : new Secondaries(
                        honeycombs, Arrays.stream(lags).map(lag -> lag + more).toArray(), secured);
    }

    private int indexOf(int honeycomb) {
        for (int i = 0; i < honeycombs.length; i++) {
            if (honeycombs[i] == honeycomb) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Secondaries same
                && Arrays.equals(honeycombs, same.honeycombs)
                && Arrays.equals(lags, same.lags)
                && Objects.equals(secured, same.secured);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * Arrays.hashCode(honeycombs) + Arrays.hashCode(lags)) + Objects.hashCode(secured);
    }
}
