package org.beefs.integration.posix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.IntConsumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.integration.hive.Mounts;
import org.beefs.integration.linux.Identity;
import org.beefs.integration.linux.Posix;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of one topic. Each has a folder of its own, which all users may change, and sees it through two mounts. */
@ParameterizedClass
@EnumSource(Place.class)
abstract class Topic {
    static final Identity USER = Identity.of(1000, 1000);
    static final Identity OTHER = Identity.of(1001, 1001);

    @Parameter
    Place place = Place.LOCAL;

    /** The folder, through the mount that works. */
    Path here = Path.of("");

    /** The folder, through the mount that looks on. */
    Path there = Path.of("");

    @BeforeEach
    void makeFolder(Mounts mounts, TestInfo test) throws IOException {
        String name = test.getTestMethod().orElseThrow().getName() + place;
        here = Files.createDirectory(place.here(mounts).resolve(name));
        there = place.there(mounts).resolve(name);
        Posix.chmod(here, 0777);
    }

    /** Makes a file with that content and exactly that mode. */
    Path file(String name, String content, int mode) {
        Path file = here.resolve(name);
        with(file, Posix.O_WRONLY | Posix.O_CREAT | Posix.O_EXCL, fd -> Posix.write(fd, bytes(content)));
        Posix.chmod(file, mode);
        return file;
    }

    /** Opens a file, and closes it again. */
    static void with(Path file, int flags, IntConsumer use) {
        int fd = Posix.open(file, flags, 0666);
        try {
            use.accept(fd);
        } finally {
            Posix.close(fd);
        }
    }

    static String text(int fd) {
        return new String(Posix.pread(fd, 0, 1 << 16), StandardCharsets.UTF_8);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static int permissions(Path path) {
        return Posix.stat(path).permissions();
    }

    static Runnable opening(Path path, int flags) {
        return () -> Posix.close(Posix.open(path, flags, 0));
    }

    static void assertFails(Errno errno, ThrowingCallable call) {
        PosixException thrown = catchThrowableOfType(PosixException.class, call);
        assertThat(thrown).as("a failure with " + errno).isNotNull();
        assertThat(thrown.errno()).isEqualTo(errno);
    }
}
