package org.beefs.integration.posix;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.beefs.common.posix.Errno;
import org.beefs.integration.linux.Posix;
import org.beefs.integration.linux.Xattrs;
import org.junit.jupiter.api.Test;

/** Extended attributes of users. That there are none a desktop knows without asking, until somebody sets one. */
abstract class ExtendedAttributes extends Topic {
    private static final String NAME = "user.name";
    private static final int ROUNDS = 20;

    @Test
    void shouldBeSeenByWhoWasToldThatThereAreNone() {
        setAndRemove(file("file", "text", 0600));
    }

    @Test
    void shouldBeSeenWhileTheFileIsBeingWritten() {
        Path file = file("file", "text", 0600);

        with(file, Posix.O_WRONLY, fd -> {
            Posix.write(fd, bytes("more"));
            setAndRemove(file);
        });
    }

    private void setAndRemove(Path file) {
        Path elsewhere = there.resolve("file");
        for (int round = 0; round < ROUNDS; round++) {
            assertNone(elsewhere);
            Xattrs.set(file, NAME, bytes("value " + round));
            assertThat(Xattrs.get(file, NAME)).isEqualTo(bytes("value " + round));
            assertThat(Xattrs.get(elsewhere, NAME)).isEqualTo(bytes("value " + round));

            Xattrs.remove(elsewhere, NAME);
            assertNone(elsewhere);
            assertNone(file);
        }
    }

    private static void assertNone(Path file) {
        assertFails(Errno.ENODATA, () -> Xattrs.get(file, NAME));
        assertFails(Errno.ENODATA, () -> Xattrs.get(file, "security.selinux"));
        assertThat(Xattrs.list(file)).isEmpty();
    }

    @Test
    void shouldBeKeptFromWhoMayNotReadTheFile() {
        Path file = file("file", "text", 0600);
        assertNone(file);

        assertThat(USER.errnoOf(() -> Xattrs.get(file, NAME))).isEqualTo(Errno.EACCES);
        assertThat(USER.errnoOf(() -> Xattrs.get(there.resolve("file"), NAME))).isEqualTo(Errno.EACCES);
    }
}
