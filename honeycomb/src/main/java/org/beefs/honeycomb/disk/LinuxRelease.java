package org.beefs.honeycomb.disk;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A release of the Linux kernel. What distributions have taken over from later ones does not show. */
record LinuxRelease(int major, int minor) {
    private static final Pattern RELEASE = Pattern.compile("(\\d+)\\.(\\d+).*");

    /** The release of this machine. */
    static final LinuxRelease RUNNING = of(System.getProperty("os.version", ""));

    /** From what uname(2) says; 0.0 of what cannot be understood. */
    static LinuxRelease of(String release) {
        Matcher numbers = RELEASE.matcher(release);
        return numbers.matches()
                ? new LinuxRelease(Integer.parseInt(numbers.group(1)), Integer.parseInt(numbers.group(2)))
                : new LinuxRelease(0, 0);
    }

    boolean isAtLeast(int otherMajor, int otherMinor) {
        return major > otherMajor || (major == otherMajor && minor >= otherMinor);
    }
}
