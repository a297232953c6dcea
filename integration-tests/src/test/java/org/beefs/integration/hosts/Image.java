package org.beefs.integration.hosts;

import java.time.Duration;
import org.beefs.integration.program.Folders;
import org.beefs.integration.program.Program;
import org.beefs.integration.program.Requirements;
import org.beefs.integration.program.Result;

/** The image of all roles, which docker/build.sh makes. */
final class Image {
    static final String NAME = "beefs";

    private static final Duration BUILD = Duration.ofMinutes(10);

    /** Of docker/build.sh. */
    private static final int NO_BASE = 3;

    private static boolean made;

    private Image() {}

    /** Makes it, once for all tests; skips the test loudly where there is no Debian to be had for it. */
    static synchronized void make() {
        if (made) {
            return;
        }
        Result result = Program.of(
                        Folders.repository().resolve("docker/build.sh").toString())
                .within(BUILD)
                .runToAnyEnd();
        if (result.exitCode() == NO_BASE) {
            throw Requirements.skip("there is no base for an image: " + result.errors());
        }
        result.mustSucceed();
        made = true;
    }
}
