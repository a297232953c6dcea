package org.beefs.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.beefs.integration.hive.InHive;
import org.beefs.integration.hive.Mounts;
import org.beefs.integration.program.Requires;
import org.beefs.integration.suite.ExpectedFailures;
import org.beefs.integration.suite.Pjdfstest;
import org.beefs.integration.suite.Pjdfstest.Verdict;
import org.junit.jupiter.api.Test;

/** pjdfstest: as much of POSIX as ext4 has. */
@InHive
@Requires(programs = "pjdfstest")
class PosixConformanceIT {
    /** What ext4 passes, with a second file system at hand and without remounts. */
    private static final int ON_EXT4 = 385;

    private static final double SHARE = 0.95;

    @Test
    void shouldConformAsExt4Does(Mounts mounts) {
        Map<String, Verdict> verdicts = Pjdfstest.run(mounts.local(), mounts.scratch());

        Set<String> passed = withVerdict(verdicts, Verdict.PASSED);
        Set<String> failed = withVerdict(verdicts, Verdict.FAILED);
        assertThat(failed)
                .as("failures, against those that are listed with a reason")
                .isEqualTo(
                        ExpectedFailures.read("pjdfstest-expected-failures.txt").keySet());
        assertThat(passed.size()).as("tests that pass").isGreaterThanOrEqualTo((int) Math.ceil(SHARE * ON_EXT4));
        assertThat(areas(failed)).as("areas that fail as a whole").allMatch(areas(passed)::contains);
    }

    private static Set<String> withVerdict(Map<String, Verdict> verdicts, Verdict wanted) {
        return verdicts.entrySet().stream()
                .filter(entry -> entry.getValue() == wanted)
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> areas(Set<String> names) {
        return names.stream()
                .map(name -> name.substring(0, name.indexOf("::")))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
