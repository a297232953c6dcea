package org.beefs.integration.program;

/** Short forms run always, long ones with {@code -Dbeefs.long=true}. */
public final class Length {
    private Length() {}

    public static boolean isLong() {
        return Boolean.getBoolean("beefs.long");
    }

    /** How often to do something. */
    public static int of(int inShortForm, int inLongForm) {
        return isLong() ? inLongForm : inShortForm;
    }

    /** {@code -Dbeefs.seed=N}, or a new seed for each long run, or the one that is always the same. */
    public static long seed(long usual) {
        return Long.getLong("beefs.seed", isLong() ? System.nanoTime() : usual);
    }
}
