package org.beefs.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.beefs.integration.hive.Hive;
import org.beefs.integration.hive.InHive;
import org.beefs.integration.hive.RequestCounts;
import org.beefs.integration.program.Program;
import org.beefs.integration.program.Requires;
import org.beefs.integration.source.DebianSource;
import org.junit.jupiter.api.Test;

/** Where the content lies on the user's own desktop, the kernel moves the bytes, and the daemon hears of none. */
@InHive
@Requires(programs = {"gcc", "make", "tar", "apt-get", "fio"})
class KernelAnswersIT {
    private static final Duration BUILD = Duration.ofMinutes(5);

    @Test
    void shouldNotBeAskedForTheBytesOfALocalCopyAndBuild(Hive hive) throws IOException {
        Path archive = DebianSource.archive("hello");

        Program.shell("tar xf '%s' && cp -a hello-* copy && cd copy && ./configure && make".formatted(archive))
                .in(hive.mount())
                .within(BUILD)
                .run();

        assertThat(Program.of(hive.mount().resolve("copy/hello").toString())
                        .run()
                        .output())
                .isEqualTo("Hello, world!\n");
        assertNoBytes(hive.requests(hive.mount()));
    }

    @Test
    void shouldNotBeAskedForTheBytesThatFioWritesAndVerifies(Hive hive) {
        Program.shell(
                        "fio --name=local --rw=randrw --bs=4k-64k --size=64M --verify=crc32c --ioengine=psync --output-format=terse")
                .in(hive.mount())
                .within(BUILD)
                .run();

        assertNoBytes(hive.requests(hive.mount()));
    }

    private static void assertNoBytes(RequestCounts counts) {
        assertThat(counts.of("CREATE", "OPEN")).isPositive();
        assertThat(counts.of("READ", "WRITE")).as("of %s", counts).isZero();
    }
}
