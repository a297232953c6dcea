package org.beefs.integration.browser;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.beefs.integration.program.Program;

/**
 * Names that a program may give its files, and that would command a browser, a terminal or a shell, or forge a line of
 * a log.
 */
public final class HostileNames {
    /** What a terminal obeys. */
    private static final String ESCAPE = "\u001b";

    /** All in one, for terminals. */
    public static final String WORST =
            "\"'<img src=x>\n\r" + ESCAPE + "[31mred" + ESCAPE + "]0;title\u0007\u009b31m\u202efdp";

    public static final List<String> NAMES = List.of(
            "<img src=x onerror=alert(1)>",
            "\"'><svg onload=alert(2)>",
            "&lt;script&gt; $(reboot) `reboot` %n{}",
            "two\nlines\r",
            ESCAPE + "[31mred" + ESCAPE + "]0;title\u0007",
            "\u009b31mred",
            "invoice\u202efdp.exe",
            "x".repeat(255),
            WORST);

    /** What must never come to a terminal or into a log, but as something that can be seen. */
    public static final Pattern COMMANDS = Pattern.compile("[\\p{Cntrl}\\u0080-\\u009f\\u202e&&[^\n\t]]");

    private HostileNames() {}

    /** Makes a folder with a file of each name, and one whose name is no UTF-8. */
    public static Path create(Path folder) throws IOException {
        Files.createDirectory(folder);
        for (String name : NAMES) {
            Files.writeString(folder.resolve(name), "content");
        }
        Program.shell("printf content > \"$(printf 'latin-\\344\\377')\"")
                .in(folder)
                .run();
        return folder;
    }
}
