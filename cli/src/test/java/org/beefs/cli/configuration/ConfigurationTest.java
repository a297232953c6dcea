package org.beefs.cli.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.beefs.cli.daemon.DaemonProcess;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.state.HiveFolder;
import org.beefs.common.config.ConfigurationFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigurationTest {
    @TempDir
    private Path temporary;

    @Test
    void shouldHaveDefaultsForADesktopWithoutFile() {
        DesktopConfig config = ConfigurationFile.read(null, DesktopConfig.class, Map.of());

        assertThat(config.desktop().name()).isEqualTo("desktop1");
        assertThat(config.queenbee().address().getPort()).isEqualTo(7411);
        assertThat(config.queenbee().address().getAddress().isLoopbackAddress()).isTrue();
        assertThat(config.honeybee())
                .isEqualTo(new DesktopConfig.Honeybee(
                        Duration.ofSeconds(60), 3, "automatic", Duration.ofSeconds(1), false, false));
        assertThat(config.honeycomb()).isEmpty();
    }

    @Test
    void shouldOfferAHoneycombAsSoonAsOneSettingOfItIsGiven() {
        DesktopConfig config = ConfigurationFile.read(null, DesktopConfig.class, Map.of("honeycomb.capacity", "10G"));

        assertThat(config.honeycomb().orElseThrow().capacity().orElseThrow().bytes())
                .isEqualTo(10L << 30);
    }

    @Test
    void shouldLookForRelativeFoldersInTheProcessFolder() {
        DesktopConfig config = ConfigurationFile.read(null, DesktopConfig.class, Map.of("honeycomb.folder", "here"));

        assertThat(config.below(Path.of("/srv/hive/desktop1"))
                        .honeycomb()
                        .orElseThrow()
                        .folder())
                .isEqualTo(Path.of("/srv/hive/desktop1/here"));
    }

    @ParameterizedTest
    @CsvSource({
        "queenbee.lease, 2h, 1s and 1h",
        "queenbee.fence-margin, 16s, 1ms and 15s",
        "queenbee.heartbeat, 5001ms, 10ms and 5s",
        "queenbee.cache-time, 4501ms, 1ms and 4500ms",
        "queenbee.recall-timeout, 8001ms, 10ms and 8s",
        "queenbee.flush-interval, 0ms, 1ms and 1m",
        "queenbee.pass-limit, 0, 1 and 65536",
        "queenbee.max-queued, 0, 8192 and 1048576",
        "queenbee.max-queued, 8191, 8192 and 1048576",
        "queenbee.max-parked, 511, 512 and 1048576",
        "queenbee.max-sessions, 0, 1 and 100000",
        "queenbee.max-leases, 0, 1 and 16777216",
        "queenbee.max-open-files, 0, 1 and 100000000",
        "queenbee.max-answers, 8191, 8192 and 1048576",
        "queenbee.errand-batch, 4097, 1 and 4096",
        "queenbee.errand-deadline, 99ms, 100ms and 1h",
        "queenbee.seal-delay, 2h, 0ms and 1h",
        "queenbee.replicas, 17, 1 and 16",
        "queenbee.time-to-coherence, 366d, 0ms and 8760h",
        "queenbee.grace-time, 0s, 1s and 8760h",
        "queenbee.checkpoint-distance, 0s, 1s and 8760h",
        "queenbee.low-water, 11, 0 and 10",
        "queenbee.high-water, 51, 0 and 50",
        "queenbee.replicate-on-read, 60, 0 and 50"
    })
    void shouldNameTheSettingThatIsOutOfBoundsAndTheBounds(String key, String value, String bounds) {
        assertThatThrownBy(() -> ConfigurationFile.read(null, QueenBeeFile.class, Map.of(key, value)))
                .hasMessageContaining("[queenbee] " + key.replace("queenbee.", "") + " is ")
                .hasMessageEndingWith(", and must be between " + bounds);
    }

    @Test
    void shouldNameTheSessionOfTheConsole() {
        assertThatThrownBy(() -> ConfigurationFile.read(null, QueenBeeFile.class, Map.of("console.session", "13h")))
                .hasMessageContaining("[console] session must be");
    }

    @ParameterizedTest
    @CsvSource({
        "queenbee.heartbeat, 5s",
        "queenbee.recall-timeout, 8s",
        "queenbee.max-parked, 512",
        "queenbee.max-queued, 8192",
        "queenbee.max-answers, 8192"
    })
    void shouldTakeWhatJustWorks(String key, String value) {
        assertThatNoException().isThrownBy(() -> ConfigurationFile.read(null, QueenBeeFile.class, Map.of(key, value)));
    }

    @Test
    void shouldNameFileAndSettingOfAWrongAddress() throws IOException {
        Path file = Files.writeString(temporary.resolve("queenbee.toml"), "[queenbee]\nlisten = 'nowhere'\n");

        assertThatThrownBy(() -> ConfigurationFile.read(file, QueenBeeFile.class, Map.of()))
                .hasMessage(file + ": key 'queenbee.listen': 'nowhere' is not an address; write host:port, for example "
                        + "127.0.0.1:7000");
    }

    @Test
    void shouldNameFileTableAndSettingOfAWrongAddressThatMayBeOff() throws IOException {
        Path file = Files.writeString(temporary.resolve("queenbee.toml"), "[console]\nlisten = 'nowhere'\n");

        assertThatThrownBy(() -> ConfigurationFile.read(file, QueenBeeFile.class, Map.of()))
                .hasMessage(file + ": [console] listen: 'nowhere' is not an address; write host:port, for example "
                        + "127.0.0.1:7000, or off");
    }

    @Test
    void shouldSayInOneLineThatAFolderIsUsedForSomethingElse() throws IOException {
        Path letter = Files.writeString(temporary.resolve("letter"), "somebody's");
        DaemonProcess process = DaemonProcess.of(new HiveFolder(temporary).desktop("d"), true, Map.of());

        assertThatThrownBy(() ->
                        process.runDesktop(null, Map.of("honeycomb.folder", temporary.toString()), java.util.List.of()))
                .isInstanceOfSatisfying(
                        CommandFailure.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.FOLDER))
                .hasMessageContaining(temporary + " cannot be used: it holds something else (")
                .message()
                .hasLineCount(1);
        assertThat(letter).hasContent("somebody's");
    }

    @ParameterizedTest
    @CsvSource({
        "[desktp], desktp",
        "[honeycomb]|capacity = '10X', honeycomb.capacity",
        "[honeycomb]|listen = 'nowhere', honeycomb.listen",
        "[honeybee]|patience = 'long', honeybee.patience",
        "[honeybee]|readers = 0, readers must be between 1 and 64",
        "[metrics]|listen = 'nowhere', '[metrics] listen: ''nowhere'' is not an address'",
        "[honeybee]|driver = 'fast', there is no driver",
        "[honeybee, not TOML"
    })
    void shouldSayInOneLineWhatIsWrong(String text, String told) throws IOException {
        Path file = Files.writeString(temporary.resolve("desktop.toml"), text.replace('|', '\n') + "\n");
        DaemonProcess process = DaemonProcess.of(new HiveFolder(temporary).desktop("d"), true, Map.of());

        assertThatThrownBy(() -> process.runDesktop(file, Map.of(), java.util.List.of()))
                .isInstanceOfSatisfying(
                        CommandFailure.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.CONFIGURATION))
                .hasMessageContaining(told)
                .hasMessageContaining(file.toString())
                .message()
                .hasLineCount(1);
    }
}
