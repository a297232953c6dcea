package org.beefs.queenbee.console.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.WakeAddresses;
import org.beefs.queenbee.console.ConsoleHive;
import org.beefs.queenbee.console.model.event.Event;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who is asleep is called by the addresses that he had. */
class WakingTest {
    private static final ByteString CARD = ByteString.copyFromUtf8("card01");

    /** Longer than a lease. */
    private static final Duration AWAY = Duration.ofMinutes(2);

    @TempDir
    private Path folder;

    private final TestHive hive = new TestHive();
    private TestDesktop desktop;
    private ConsoleHive console;

    @BeforeEach
    void open() {
        desktop = new TestDesktop(hive, "desk").withCards(CARD).registered();
        console = new ConsoleHive(hive, folder);
    }

    @Test
    void shouldCallWhoIsAsleep() {
        desktop.disconnect();
        hive.advance(AWAY);

        console.model().administration().wake("desk", "me");

        assertThat(console.rung()).extracting(WakeAddresses::getCardsList).containsExactly(desktopCards());
        assertThat(console.model().events().newest("action", "desk", 10))
                .extracting(Event::text)
                .containsExactly("desk is called to wake up");
    }

    @Test
    void shouldKnowAddressesAfterARestart() {
        hive.restart();
        hive.advance(AWAY);

        console.model().administration().wake("desk", "me");

        assertThat(console.rung()).extracting(WakeAddresses::getCardsList).containsExactly(desktopCards());
    }

    @Test
    void shouldLetThemBeWhoAreAwake() {
        assertRefused("desk", Errno.EBUSY, "desk is awake already");
    }

    @Test
    void shouldSayThatItDoesNotKnowHow() {
        TestDesktop other = new TestDesktop(hive, "other").registered();
        other.disconnect();
        hive.advance(AWAY);

        assertRefused("other", Errno.ENXIO, "no hardware address of other is known");
        assertRefused("nobody", Errno.ENODEV, "nobody");
    }

    @Test
    void shouldTakeNoAddressesThatAreNone() {
        TestDesktop wrong = new TestDesktop(hive, "wrong").withCards(ByteString.copyFromUtf8("short"));

        assertThatThrownBy(wrong::registered).hasMessageContaining("hardware addresses");
    }

    private void assertRefused(String name, Errno errno, String reason) {
        assertThatThrownBy(() -> console.model().administration().wake(name, "me"))
                .isInstanceOfSatisfying(
                        PosixException.class, e -> assertThat(e.errno()).isEqualTo(errno))
                .hasMessageContaining(reason);
        assertThat(console.rung()).isEmpty();
    }

    private static List<ByteString> desktopCards() {
        return List.of(CARD);
    }
}
