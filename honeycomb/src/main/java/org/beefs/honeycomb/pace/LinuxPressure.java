package org.beefs.honeycomb.pace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.beefs.common.time.ProductionOnly;

/** The kernel's own figures (PSI), {@code some avg10} of io and cpu. A kernel that keeps none tells of no pressure. */
@ProductionOnly
public final class LinuxPressure implements Pressure {
    private static final Pattern SOME = Pattern.compile("some avg10=(\\d+(?:\\.\\d+)?) ");

    private final Path folder;

    public LinuxPressure() {
        this(Path.of("/proc/pressure"));
    }

    LinuxPressure(Path folder) {
        this.folder = folder;
    }

    @Override
    public double percent() {
        return Math.max(read("io"), read("cpu"));
    }

    private double read(String what) {
        try {
            Matcher some = SOME.matcher(Files.readString(folder.resolve(what)));
            return some.find() ? Double.parseDouble(some.group(1)) : 0;
        } catch (IOException absent) {
            return 0;
        }
    }
}
