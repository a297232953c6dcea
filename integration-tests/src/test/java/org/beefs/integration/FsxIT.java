package org.beefs.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.beefs.cli.posixtest.Fsx;
import org.beefs.cli.posixtest.Outcome.Verdict;
import org.beefs.cli.posixtest.Places;
import org.beefs.integration.hive.InHive;
import org.beefs.integration.hive.Mounts;
import org.beefs.integration.program.Length;
import org.beefs.integration.program.Requires;
import org.junit.jupiter.api.Test;

/** fsx: random reads, writes, truncations and mappings of a file, against a model. */
@InHive
@Requires(programs = "fsx")
class FsxIT {
    private static final int SEEDS = Length.of(2, 20);
    private static final int OPERATIONS = 20_000;

    @Test
    void shouldKeepDataInTheOwnHoneycomb(Mounts mounts) throws Exception {
        exercise(mounts.local(), mounts.scratch());
    }

    @Test
    void shouldKeepDataElsewhere(Mounts mounts) throws Exception {
        exercise(mounts.withoutHoneycomb(), mounts.scratch());
    }

    Fsx suite() {
        return new Fsx(SEEDS, OPERATIONS);
    }

    private void exercise(Path mount, Path scratch) throws Exception {
        Path folder = Files.createTempDirectory(mount, "fsx");

        assertThat(suite().run(new Places(folder, scratch), () -> {}))
                .hasSize(SEEDS)
                .allMatch(outcome -> outcome.verdict() == Verdict.PASSED);
    }
}
