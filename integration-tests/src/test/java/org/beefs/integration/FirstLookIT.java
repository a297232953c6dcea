package org.beefs.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.beefs.integration.hive.Hive;
import org.beefs.integration.hive.InHive;
import org.beefs.integration.program.Program;
import org.junit.jupiter.api.Test;

/** What a desktop has made by itself is recalled when somebody elsewhere looks, and he has it from then on. */
@InHive
class FirstLookIT {
    private static final int MADE = 200;

    /** For the directory itself, and whatever else a shell and ls look at. */
    private static final int BESIDE = 20;

    @Test
    void shouldAskNothingMoreForWhatAListingHasTold(Hive hive) {
        Program.shell("mkdir made && cd made && seq %d | xargs mkdir".formatted(MADE))
                .in(hive.mount())
                .run();
        Path elsewhere = hive.mountOn("laptop");
        long before = asked(hive, elsewhere);

        String listed = Program.shell("ls -l made").in(elsewhere).run().output();

        assertThat(listed.lines()).hasSize(1 + MADE);
        assertThat(asked(hive, elsewhere) - before).isLessThan(BESIDE);
    }

    private static long asked(Hive hive, Path mount) {
        return hive.requests(mount).of("LOOKUP", "GETATTR");
    }
}
