package org.beefs.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.beefs.cli.posixtest.Outcome;
import org.beefs.cli.posixtest.Outcome.Verdict;
import org.beefs.cli.posixtest.Pjdfstest;
import org.beefs.cli.posixtest.Places;
import org.beefs.integration.hive.InHive;
import org.beefs.integration.hive.Mounts;
import org.beefs.integration.program.Requires;
import org.junit.jupiter.api.Test;

/** pjdfstest: as much of POSIX as ext4 has. */
@InHive
@Requires(programs = "pjdfstest")
class PosixConformanceIT {
    /** What ext4 passes at least, with a second file system at hand and without remounts. */
    private static final int ON_EXT4 = 383;

    @Test
    void shouldConformAsExt4DoesWithLocalContent(Mounts mounts) throws Exception {
        conforms(mounts.local(), mounts.scratch());
    }

    @Test
    void shouldConformAsExt4DoesWithContentElsewhere(Mounts mounts) throws Exception {
        conforms(mounts.withoutHoneycomb(), mounts.scratch());
    }

    /** As far as ext4 does. */
    static void conforms(Path mount, Path scratch) throws Exception {
        List<Outcome> outcomes = new Pjdfstest().run(new Places(mount, scratch), () -> {});

        assertThat(outcomes)
                .filteredOn(outcome -> outcome.verdict() == Verdict.FAILED)
                .isEmpty();
        assertThat(outcomes)
                .filteredOn(outcome -> outcome.verdict() == Verdict.PASSED)
                .hasSizeGreaterThanOrEqualTo(ON_EXT4);
    }
}
