package org.beefs.cli.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.state.HiveFolder;
import org.beefs.cli.state.ProcessFolder;
import org.beefs.common.config.Addresses;
import org.beefs.common.config.ConfigurationFile;
import org.beefs.honeycomb.HoneycombConfig;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HiveSetupTest {
    @TempDir
    private Path temporary;

    private HiveFolder hive;

    @BeforeEach
    void makeHive() {
        hive = new HiveFolder(temporary);
    }

    @Test
    void shouldSetUpAQueenBeeAndDesktopsThatKnowHer() {
        complete(2);

        assertThat(hive.processes())
                .extracting(ProcessFolder::name)
                .containsExactly("queenbee", "desktop1", "desktop2");
        InetSocketAddress queenBee = ConfigurationFile.read(
                        hive.queenBee().configuration(), QueenBeeFile.class, Map.of())
                .queenbee()
                .listen();
        assertThat(hive.desktops())
                .extracting(desktop -> read(desktop).queenbee().address())
                .containsOnly(queenBee);
    }

    @Test
    void shouldGiveEachItsOwnLoopbackPortBelowThoseOfOutgoingConnections() {
        complete(5);

        List<HoneycombConfig> honeycombs = hive.desktops().stream()
                .map(desktop -> read(desktop).honeycomb().orElseThrow())
                .toList();
        assertThat(honeycombs)
                .extracting(honeycomb -> honeycomb.listen().getPort())
                .doesNotHaveDuplicates();
        assertThat(honeycombs)
                .allMatch(honeycomb -> honeycomb.listen().getPort() >= FreePorts.LOWEST
                        && honeycomb.listen().getPort() <= FreePorts.HIGHEST
                        && honeycomb.listen().getAddress().isLoopbackAddress());
    }

    @Test
    void shouldLeaveWhatIsSetUpAsItIs() throws IOException {
        complete(1);
        Path edited = hive.desktop("desktop1").configuration();
        String text = Files.readString(edited).replace("60s", "5s");
        Files.writeString(edited, text);

        complete(2);

        assertThat(edited).hasContent(text);
        assertThat(read(hive.desktop("desktop2")).honeycomb()).isPresent();
    }

    @Test
    void shouldSetUpALostQueenBeeWhereTheDesktopsLookForHer() {
        complete(1);
        hive.queenBee().configuration().toFile().delete();

        HiveSetup.of(hive).restoreQueenBee();

        assertThat(HiveSetup.of(hive).queenBeeAddress())
                .isEqualTo(Addresses.format(
                        read(hive.desktop("desktop1")).queenbee().address()));
    }

    /** Debian's /etc/hosts has the machine's own name mean 127.0.1.1: desktops on other machines would not get in. */
    @Test
    void shouldNotHaveALostQueenBeeListenAtAName() throws IOException {
        complete(1);
        Path desktop = hive.desktop("desktop1").configuration();
        Files.writeString(
                desktop,
                Files.readString(desktop).replaceFirst("address = \".*\"", "address = \"bees.example.org:7411\""));
        hive.queenBee().configuration().toFile().delete();

        HiveSetup lost = HiveSetup.of(hive);
        assertThatThrownBy(lost::restoreQueenBee)
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("bees.example.org:7411")
                .hasMessageContaining("listen");
        assertThat(hive.queenBee().configuration()).doesNotExist();
    }

    @Test
    void shouldSetUpADesktopThatOffersNothing() {
        complete(1);
        ProcessFolder laptop = hive.desktop("laptop");

        HiveSetup.of(hive).addDesktopWithoutHoneycomb(laptop);

        assertThat(read(laptop).honeycomb()).isEmpty();
        assertThat(read(laptop).desktop().name()).isEqualTo("laptop");
    }

    @Test
    void shouldNotPromiseMoreThanTheDiskHasWhenSeveralShareIt() throws IOException {
        complete(3);

        long promised = hive.desktops().stream()
                .mapToLong(desktop -> read(desktop)
                        .honeycomb()
                        .orElseThrow()
                        .capacity()
                        .orElseThrow()
                        .bytes())
                .sum();
        assertThat(promised).isLessThan(Files.getFileStore(temporary).getTotalSpace());
    }

    @Test
    void shouldNotGiveADesktopThePortOfTheQueenBee() {
        complete(1);
        int taken = Addresses.parse(HiveSetup.of(hive).queenBeeAddress()).getPort();
        int free = freePort();

        try (FreePorts ports = new FreePorts(offering(taken, free))) {
            HiveSetup.of(hive).completeTo(2, ports);
        }

        assertThat(read(hive.desktop("desktop2"))
                        .honeycomb()
                        .orElseThrow()
                        .listen()
                        .getPort())
                .isEqualTo(free);
    }

    @Test
    void shouldRememberHowManyDesktopsWereWantedWhenItBreaksOff() throws IOException {
        Path inTheWay = Files.createFile(hive.desktop("desktop2").path());

        assertThatThrownBy(() -> complete(4)).isInstanceOf(CommandFailure.class);
        assertThat(HiveSetup.of(hive).unfinished()).hasValue(4);

        Files.delete(inTheWay);
        complete(4);

        assertThat(HiveSetup.of(hive).unfinished()).isEmpty();
    }

    @Test
    void shouldNotTakeAHiveForUnfinishedThatSomebodyHasWritten() throws IOException {
        Path queenBee = hive.queenBee().configuration();
        Files.createDirectories(queenBee.getParent());
        Files.writeString(queenBee, "[queenbee]\nlisten = \"127.0.0.1:7411\"\n");

        assertThat(HiveSetup.of(hive).unfinished()).isEmpty();
    }

    private void complete(int desktops) {
        try (FreePorts ports = new FreePorts(new SecureRandom())) {
            HiveSetup.of(hive).completeTo(desktops, ports);
        }
    }

    private static int freePort() {
        try (FreePorts ports = new FreePorts(new SecureRandom())) {
            return ports.next().getPort();
        }
    }

    /** Answers the given ports one after the other. */
    private static RandomGenerator offering(Integer... ports) {
        Iterator<Integer> next = List.of(ports).iterator();
        return new RandomGenerator() {
            @Override
            public long nextLong() {
                throw new UnsupportedOperationException();
            }

            @Override
            public int nextInt(int origin, int bound) {
                return next.next();
            }
        };
    }

    private static DesktopConfig read(ProcessFolder folder) {
        return ConfigurationFile.read(folder.configuration(), DesktopConfig.class, Map.of());
    }
}
