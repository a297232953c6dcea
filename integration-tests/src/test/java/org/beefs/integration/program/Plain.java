package org.beefs.integration.program;

/**
 * Whether tests run in a plain folder instead of a hive ({@code -Dbeefs.plain=true}): to try the tests themselves,
 * because what they demand must hold on an ordinary Linux file system.
 */
public final class Plain {
    private Plain() {}

    public static boolean isChosen() {
        return Boolean.getBoolean("beefs.plain");
    }
}
