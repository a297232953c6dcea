package org.beefs.common.rpc.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HiveKeyTest {
    private static final byte[] WORD = {1, 2, 3};

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void chooseFile() {
        file = folder.resolve(HiveKey.FILE);
    }

    @Test
    void shouldBeMadeForItsOwnerOnly() throws IOException {
        HiveKey.create(file);

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(HiveKey.read(file).proof(WORD)).isEqualTo(HiveKey.read(file).proof(WORD));
    }

    @Test
    void shouldBeAnotherOneEachTime() throws IOException {
        HiveKey.create(file);
        byte[] first = HiveKey.read(file).proof(WORD);
        Files.delete(file);
        HiveKey.create(file);

        assertThat(HiveKey.read(file).proof(WORD)).isNotEqualTo(first);
    }

    @Test
    void shouldNotBeMadeWhereThereIsOne() throws IOException {
        HiveKey.create(file);

        assertThatThrownBy(() -> HiveKey.create(file)).isInstanceOf(FileAlreadyExistsException.class);
    }

    @Test
    void shouldNotBeTakenWhenEverybodyKnowsIt() throws IOException {
        HiveKey.create(file);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));

        assertThatThrownBy(() -> HiveKey.read(file))
                .isInstanceOf(IOException.class)
                .hasMessage("the hive's key in %s is open to everybody: chmod 600 it", file);
    }

    @Test
    void shouldNotBeTakenWhenItCanBeGuessed() throws IOException {
        HiveKey.create(file);
        Files.writeString(file, "secret\n");

        assertThatThrownBy(() -> HiveKey.read(file))
                .hasMessage("the hive's key in %s has 6 characters, and must have 32 at least", file);
    }
}
