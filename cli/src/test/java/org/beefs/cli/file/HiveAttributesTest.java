package org.beefs.cli.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.beefs.cli.program.CommandFailure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HiveAttributesTest {
    @TempDir
    private Path temporary;

    /** It is told apart from one that is not there. */
    @Test
    void shouldFindAFileWhoseNameIsNotUtf8() throws IOException {
        for (String name : new String[] {"%E4", "a+b%20c%25", "%C3%A4"}) {
            Path file = Files.createFile(Path.of(URI.create(temporary.toUri() + name)));

            assertThatThrownBy(() -> new HiveAttributes(file).get("beefs.replicas"))
                    .isInstanceOf(CommandFailure.class)
                    .hasMessageContaining("is in no hive");
        }
    }

    @Test
    void shouldSayThatSuchANameCannotBeGivenOnTheCommandLine() {
        assertThat(HiveAttributes.absent(Path.of("b\uFFFDr"))).contains("not UTF-8");
        assertThat(HiveAttributes.absent(Path.of("b\u00E4r"))).isEqualTo("there is no b\u00E4r");
    }
}
