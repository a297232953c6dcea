package org.beefs.queenbee.namespace;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The secondary replicas of a file: in which honeycombs they are, and by how much the version of each is lower than the
 * newest. So those of many files are equal, and can be one object. The last ones may be extra: beyond those that the
 * file should have, for who reads it there. For a file that promises to be on several disks this also has the last
 * version that kept the promise, unless the newest does, or when nobody has that the latest that somebody has had; and
 * for one whose newest version is a checkpoint that is nobody's replica yet, the version before. Immutable.
 */
public final class Secondaries {
    /** The secondaries of a file that has none. */
    public static final Secondaries NONE = new Secondaries(new int[0], new long[0], 0, null);

    private final int[] honeycombs;
    private final long[] lags;
    private final int extras;
    private final @Nullable SecuredVersion secured;

    private Secondaries(int[] honeycombs, long[] lags, int extras, @Nullable SecuredVersion secured) {
        this.honeycombs = honeycombs;
        this.lags = lags;
        this.extras = extras;
        this.secured = secured;
    }

    /** The version to which the file can go back; null if that is the newest, or there never was one. */
    public @Nullable SecuredVersion secured() {
        return secured;
    }

    Secondaries securedBy(@Nullable SecuredVersion version) {
        return new Secondaries(honeycombs, lags, extras, version);
    }

    public int size() {
        return honeycombs.length;
    }

    public boolean isEmpty() {
        return honeycombs.length == 0;
    }

    /** Numbers of the honeycombs, in the order in which they were chosen; the extra ones last. */
    public IntStream honeycombs() {
        return Arrays.stream(honeycombs);
    }

    /** Numbers of those honeycombs whose replicas the file should have. */
    public IntStream proper() {
        return Arrays.stream(honeycombs, 0, honeycombs.length - extras);
    }

    /** Numbers of those honeycombs whose replicas are extra. */
    public IntStream extra() {
        return Arrays.stream(honeycombs, honeycombs.length - extras, honeycombs.length);
    }

    /** How many are extra. */
    public int extras() {
        return extras;
    }

    public boolean isExtra(int honeycomb) {
        return indexOf(honeycomb) >= honeycombs.length - extras;
    }

    /** Numbers of the honeycombs whose replicas are the newest committed version. */
    public IntStream current() {
        return IntStream.range(0, honeycombs.length).filter(i -> lags[i] == 0).map(i -> honeycombs[i]);
    }

    /** How many are the newest committed version, without the extra ones: nobody may count on these. */
    public int countCurrent() {
        int count = 0;
        for (int i = 0; i < honeycombs.length - extras; i++) {
            count += lags[i] == 0 ? 1 : 0;
        }
        return count;
    }

    /** How many hold any version of a file of which this is the newest committed one. */
    public int countVersions(long newest) {
        int count = 0;
        for (long lag : lags) {
            count += lag < newest ? 1 : 0;
        }
        return count;
    }

    public boolean isCurrent(int honeycomb) {
        int index = indexOf(honeycomb);
        return index >= 0 && lags[index] == 0;
    }

    /** Whether one of these honeycombs has the newest committed version. */
    public boolean isAnyCurrent(BitSet which) {
        for (int i = 0; i < honeycombs.length; i++) {
            if (lags[i] == 0 && which.get(honeycombs[i])) {
                return true;
            }
        }
        return false;
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

    /** These secondaries with one added or changed. One that was extra stays so; an added one is not extra. */
    Secondaries with(int honeycomb, long lag) {
        int known = indexOf(honeycomb);
        if (known < 0) {
            return inserted(honeycombs.length - extras, honeycomb, lag, extras);
        }
        long[] behind = lags.clone();
        behind[known] = lag;
        return new Secondaries(honeycombs, behind, extras, secured);
    }

    /** The one in that honeycomb, which must be there, is extra from now on, or not any more. */
    Secondaries marked(int honeycomb, boolean extra) {
        Secondaries others = without(honeycomb).securedBy(secured);
        return extra
                ? others.inserted(others.size(), honeycomb, lag(honeycomb), others.extras + 1)
                : others.inserted(others.size() - others.extras, honeycomb, lag(honeycomb), others.extras);
    }

    private Secondaries inserted(int at, int honeycomb, long lag, int present) {
        int after = honeycombs.length - at;
        int[] numbers = Arrays.copyOf(honeycombs, honeycombs.length + 1);
        long[] behind = Arrays.copyOf(lags, lags.length + 1);
        System.arraycopy(honeycombs, at, numbers, at + 1, after);
        System.arraycopy(lags, at, behind, at + 1, after);
        numbers[at] = honeycomb;
        behind[at] = lag;
        return new Secondaries(numbers, behind, present, secured);
    }

    /** The same secondaries, of which so many count as extra, the last ones. */
    Secondaries withExtras(int present) {
        return new Secondaries(honeycombs, lags, Math.min(present, honeycombs.length), secured);
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
                        isExtra(honeycomb) ? extras - 1 : extras,
                        secured);
    }

    /** The same secondaries after the newest version has become higher by so much; lower if that is below 0. */
    Secondaries behindBy(long more) {
        return isEmpty()
                ? NONE
                : new Secondaries(
                        honeycombs, Arrays.stream(lags).map(lag -> lag + more).toArray(), extras, secured);
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
                && extras == same.extras
                && Objects.equals(secured, same.secured);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * (31 * Arrays.hashCode(honeycombs) + Arrays.hashCode(lags)) + extras)
                + Objects.hashCode(secured);
    }
}
