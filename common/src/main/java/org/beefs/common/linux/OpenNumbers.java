package org.beefs.common.linux;

/** Flags of open(2) that Linux numbers differently on x86-64 and AArch64. All others are the same on both. */
public record OpenNumbers(int direct, int directory, int noFollow) {
    private static final OpenNumbers HERE = of(System.getProperty("os.arch"));

    public static final int O_DIRECT = HERE.direct();
    public static final int O_DIRECTORY = HERE.directory();
    public static final int O_NOFOLLOW = HERE.noFollow();

    /** The numbers on an architecture, by the name that Java gives it. */
    static OpenNumbers of(String architecture) {
        return architecture.equals("aarch64")
                ? new OpenNumbers(0200000, 040000, 0100000)
                : new OpenNumbers(040000, 0200000, 0400000);
    }
}
