package org.beefs.common.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InodesTest {
    @TempDir
    private Path folder;

    @Test
    void shouldTellTheTotalAsStatDoes() throws IOException {
        Process stat = new ProcessBuilder("stat", "--file-system", "--format=%c", folder.toString()).start();
        String total = new String(stat.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();

        Inodes inodes = Inodes.of(folder);

        assertThat(inodes.total()).isEqualTo(Long.parseLong(total));
        assertThat(inodes.free()).isBetween(0L, inodes.total());
    }

    @Test
    void shouldSayWhyThereIsNoAnswer() {
        assertThatExceptionOfType(PosixException.class)
                .isThrownBy(() -> Inodes.of(folder.resolve("nothing")))
                .satisfies(failure -> assertThat(failure.errno()).isEqualTo(Errno.ENOENT));
    }

    @Test
    void shouldBeScarceWhenOnlyTheReserveIsFree() {
        assertThat(new Inodes(1_000_000, 1024).areScarce()).isFalse();
        assertThat(new Inodes(1_000_000, 1023).areScarce()).isTrue();
    }

    @Test
    void shouldReserveLessOfADiskWithFew() {
        assertThat(new Inodes(2000, 100).areScarce()).isFalse();
        assertThat(new Inodes(2000, 99).areScarce()).isTrue();
    }

    @Test
    void shouldNeverBeScarceWithoutALimit() {
        assertThat(Inodes.UNLIMITED.areScarce()).isFalse();
    }
}
