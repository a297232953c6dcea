package org.beefs.queenbee.hive;

/** Numbers that are as good as random and yet follow from what they are asked for. */
public final class SplitMix {
    private SplitMix() {}

    /** The finaliser of SplitMix64 (Steele, Lea, Flood 2014): each bit of the result depends on all of the value. */
    public static long mix(long value) {
        long mixed = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }
}
