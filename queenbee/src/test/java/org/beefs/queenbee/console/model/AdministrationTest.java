package org.beefs.queenbee.console.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.common.wire.LockMode;
import org.beefs.common.wire.Register;
import org.beefs.queenbee.console.ConsoleHive;
import org.beefs.queenbee.console.model.file.FileView;
import org.beefs.queenbee.console.model.snapshot.DesktopView;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.MemoryStateStore;
import org.beefs.queenbee.testing.TestConfig;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What administrators do is done, and remembered with who did it. */
class AdministrationTest {
    @TempDir
    private Path folder;

    private final TestHive hive = new TestHive();
    private final TestDesktop desk = new TestDesktop(hive, "desk").registered();
    private final TestDesktop other = new TestDesktop(hive, "other").registered();
    private ConsoleHive console;
    private Administration administration;

    @BeforeEach
    void open() {
        console = new ConsoleHive(hive, folder);
        administration = console.model().administration();
    }

    private List<String> done() {
        return console.model().events().newest("action", null, 10).stream()
                .map(event -> event.text() + " by " + event.who())
                .toList();
    }

    @Test
    void shouldTellADesktopToPause() {
        administration.pause("desk", Duration.ofHours(1), "me");
        administration.pause("desk", Duration.ZERO, "me");

        assertThat(desk.received())
                .filteredOn(DesktopRequest::hasPause)
                .extracting(request -> request.getPause().getMillis())
                .containsExactly(3_600_000L, 0L);
        assertThat(done()).containsExactly("desk is paused for 1h by me", "desk is not paused any more by me");
    }

    @Test
    void shouldRememberInWhichRoomADesktopIs() {
        administration.setRoom("desk", " 2nd floor ", "me");
        administration.setRoom("other", "cellar", "me");
        administration.setRoom("other", null, "me");

        assertThat(done())
                .containsExactly(
                        "desk is in room 2nd floor by me",
                        "other is in room cellar by me",
                        "other is in no room by me");
        ConsoleModel next = new ConsoleHive(hive, folder).model();
        assertThat(next.snapshot().desktops()).extracting(DesktopView::room).containsExactly("2nd floor", "");
        assertThat(next.snapshot().byRoom().keySet()).containsExactly("2nd floor", "");
    }

    @Test
    void shouldRefuseRoomsThatNobodyCouldRead() {
        for (String room : List.of("", "  ", "two\nlines", "r".repeat(65))) {
            assertThatThrownBy(() -> administration.setRoom("desk", room, "me"))
                    .as(room)
                    .isInstanceOf(PosixException.class);
        }
        assertThat(done()).isEmpty();
    }

    @Test
    void shouldSayThatNobodyIsThereToPause() {
        desk.disconnect();

        assertThatThrownBy(() -> administration.pause("desk", Duration.ofHours(1), "me"))
                .isInstanceOf(PosixException.class)
                .hasMessageContaining("desk is not there now");
        assertThat(done()).isEmpty();
    }

    @Test
    void shouldRememberAPauseThatADesktopHasNotAnswered() {
        desk.setAnswering(false);

        assertErrno(() -> administration.pause("desk", Duration.ofHours(1), "me"), Errno.EINPROGRESS);

        assertThat(done()).containsExactly("desk is paused for 1h: asked for, no answer yet by me");
    }

    @Test
    void shouldWaitForLongerThanARecallAndRememberWhatMayBeDoneYet() {
        Duration recall = Duration.ofSeconds(8);
        TestHive slow = new TestHive(new MemoryStateStore(), TestConfig.withRecallTimeout(recall));
        new TestDesktop(slow, "desk").registered();
        console = new ConsoleHive(slow, folder);
        console.setAnswering(false);

        assertErrno(() -> console.model().administration().drain("desk", false, "me"), Errno.EINPROGRESS);

        assertThat(console.waited()).isGreaterThan(recall);
        assertThat(done()).containsExactly("desk is draining: asked for, no answer yet by me");
    }

    @Test
    void shouldFreeTheLocksOfWhoIsEjected() {
        long file = other.ok(Ask.mknod(Namespace.ROOT, "file", 0100666))
                .getNode()
                .getAttributes()
                .getInode();
        desk.ok(Ask.set(Ask.lock(file, 1, LockMode.EXCLUSIVE, 0, 0)));
        assertThat(other.fails(Ask.set(Ask.lock(file, 1, LockMode.EXCLUSIVE, 0, 0))))
                .isEqualTo(Errno.EAGAIN);

        administration.eject("desk", "me");

        other.ok(Ask.set(Ask.lock(file, 1, LockMode.EXCLUSIVE, 0, 0)));
        assertThat(desk.send(Ask.attributes(file)).getUnknownSession()).isTrue();
        assertThat(done()).containsExactly("desk is ejected: its locks are free and its files closed by me");
        assertThatThrownBy(() -> administration.eject("desk", "me"))
                .hasMessageContaining("no desktop named desk has a session");
        desk.registered();
        desk.ok(Ask.attributes(file));
    }

    @Test
    void shouldForgetADesktopAndItsRoom() {
        administration.setRoom("desk", "cellar", "me");
        desk.disconnect();
        administration.declareLost("desk", "me");
        hive.advance(List.of(other), TestConfig.usual().lease().multipliedBy(2));

        administration.forget("desk", "me");

        assertThat(console.model().snapshot().desktops())
                .extracting(DesktopView::name)
                .containsExactly("other");
        assertThat(done()).last().isEqualTo("desk is forgotten by me");
        comeWithAnotherFolder();
        assertThat(console.model().refresh().desktop("desk").orElseThrow().room())
                .isEmpty();
    }

    /** Who reads that the desktop itself was given up would look for what is not wrong. */
    @Test
    void shouldRecordThatOnlyAnotherFolderOfADesktopIsGivenUpAndForgotten() {
        desk.disconnect();
        hive.advance(List.of(other), TestConfig.usual().lease().multipliedBy(2));
        TestDesktop again = comeWithAnotherFolder();
        hive.advance(List.of(other, again), Duration.ofMinutes(1));

        administration.declareLost("desk", "me");
        hive.advance(List.of(other, again), Duration.ofMinutes(1));
        administration.forget("desk", "me");

        assertThat(done())
                .containsExactly(
                        "what desk had in another folder is declared lost by me",
                        "what desk had in another folder is forgotten by me");
    }

    private TestDesktop comeWithAnotherFolder() {
        TestDesktop another = new TestDesktop(hive, "desk", 2, 1);
        Register.Builder register = another.register();
        register.getHoneycombBuilder().setUuid(TestDesktop.uuid("another"));
        another.register(register);
        return another;
    }

    @Test
    void shouldChangeHowAFileIsReplicated() {
        long file = console.makeFile("file", 1);

        administration.changeReplication(file, "replicas", "2", "me");
        administration.changeReplication(file, "time-to-coherence", "5m", "me");
        administration.changeReplication(file, "p-factor", "1", "me");

        assertThat(settings(file))
                .isEqualTo(new FileView.Settings(2, "5m", 1, List.of("replicas", "time-to-coherence", "p-factor")));
        administration.changeReplication(file, "p-factor", null, "me");
        assertThat(settings(file).own()).containsExactly("replicas", "time-to-coherence");
        assertThat(done())
                .containsExactly(
                        "replicas of /file is 2 by me",
                        "time-to-coherence of /file is 5m by me",
                        "p-factor of /file is 1 by me",
                        "p-factor of /file is as the hive has it by me");
    }

    private FileView.Settings settings(long inode) {
        return Objects.requireNonNull(console.model().files().of(inode).settings());
    }

    @Test
    void shouldRefuseSettingsThatAreNone() {
        long file = console.makeFile("file", 1);

        assertErrno(() -> administration.changeReplication(file, "replicas", "17", "me"), Errno.EINVAL);
        assertErrno(() -> administration.changeReplication(file, "location", "here", "me"), Errno.EINVAL);
        assertErrno(() -> administration.changeReplication(12345, "replicas", "2", "me"), Errno.ENOENT);
        assertThat(done()).isEmpty();
    }

    private static void assertErrno(Runnable act, Errno errno) {
        assertThatThrownBy(act::run)
                .isInstanceOfSatisfying(
                        PosixException.class,
                        refused -> assertThat(refused.errno()).isEqualTo(errno));
    }
}
