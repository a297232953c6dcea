package org.beefs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What makes the image, in a checkout of nothing, with an engine and a debootstrap that only say that all went well.
 */
class ImageBuildTest {
    private static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();

    @TempDir
    private Path temporary;

    private Path checkout;

    @BeforeEach
    void makeCheckout() throws Exception {
        checkout = Files.createDirectories(temporary.resolve("checkout"));
        Files.createDirectories(checkout.resolve("docker"));
        for (String file : new String[] {"build.sh", "beefs", "Dockerfile"}) {
            Files.copy(REPOSITORY.resolve("docker").resolve(file), checkout.resolve("docker/" + file));
        }
        Scripts.copy(REPOSITORY.resolve("build-tools"), checkout.resolve("build-tools"));
        Files.createDirectories(checkout.resolve("cli/target/distribution/lib"));
        Files.createFile(checkout.resolve("cli/target/distribution/built"));
        Scripts.write(temporary.resolve("jdk/bin/java"), "exit 0");
        Scripts.write(temporary.resolve("jdk/bin/javac"), "exit 0");
        Files.writeString(temporary.resolve("jdk/release"), "JAVA_VERSION=\"25.0.1\"\n");
        Scripts.write(temporary.resolve("bin/docker"), "echo \"docker $*\"; [ \"$1 $2\" != \"$REFUSED\" ]");
        Scripts.write(temporary.resolve("bin/debootstrap"), "mkdir -p \"$4\"");
    }

    @Test
    void shouldSayThatSourcesAreNewerThanWhatIsInTheImage() throws Exception {
        Files.createFile(checkout.resolve("pom.xml"));
        Files.setLastModifiedTime(checkout.resolve("cli/target/distribution/built"), FileTime.from(Instant.EPOCH));

        assertThat(build("nothing")).contains("not built since its sources have changed", "made the image");
    }

    @Test
    void shouldLeaveNoHalfArchiveOfDebian() throws Exception {
        Scripts.write(
                temporary.resolve("bin/tar"),
                "for word; do case $word in *debian-*) echo half >$word; exit 1;; esac; done");

        assertThat(build("image inspect")).contains("failed");

        assertThat(temporary.resolve("cache/beefs")).isDirectoryNotContaining("glob:**debian-*");
    }

    private String build(String refused) throws Exception {
        ProcessBuilder program = new ProcessBuilder(
                "sh",
                "-c",
                "\"$0\" || echo failed",
                checkout.resolve("docker/build.sh").toString());
        program.environment().put("BEEFS_BUILD", "no");
        program.environment().put("REFUSED", refused);
        program.environment().put("JAVA_HOME", temporary.resolve("jdk").toString());
        program.environment().put("XDG_CACHE_HOME", temporary.resolve("cache").toString());
        program.environment().put("PATH", temporary.resolve("bin") + ":" + System.getenv("PATH"));
        return Scripts.run(program);
    }
}
