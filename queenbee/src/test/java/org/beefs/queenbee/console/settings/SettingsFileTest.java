package org.beefs.queenbee.console.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import org.beefs.common.config.ConfigurationFile;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.queenbee.QueenBeeConfig;
import org.beefs.queenbee.console.ConsoleConfig;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is changed holds from the next start on, and never keeps the queen-bee from starting. */
class SettingsFileTest {
    /** As the queen-bee's file has it. */
    public record Configuration(QueenBeeConfig queenbee, ConsoleConfig console) {
        public static Configuration defaults() {
            return new Configuration(
                    QueenBeeConfig.of(QueenBeeConfig.DEFAULT_LISTEN, Path.of("data")), ConsoleConfig.defaults());
        }
    }

    @TempDir
    private Path folder;

    private Path file;
    private SettingsFile settings;

    @BeforeEach
    void open() {
        file = folder.resolve("queenbee.toml");
        settings = new SettingsFile(file, Map.of(), Configuration.defaults(), Configuration.defaults());
    }

    private Setting setting(String name) {
        return settings.list().stream()
                .filter(setting -> setting.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private void assertRefused(String name, @Nullable String value, Errno errno) throws IOException {
        String before = Files.exists(file) ? Files.readString(file) : "none";
        assertThatThrownBy(() -> settings.set(name, value))
                .isInstanceOfSatisfying(
                        PosixException.class,
                        refused -> assertThat(refused.errno()).isEqualTo(errno));
        assertThat(Files.exists(file) ? Files.readString(file) : "none").isEqualTo(before);
        assertThat(folder).isDirectoryNotContaining(path -> path.toString().endsWith(".new"));
    }

    @Test
    void shouldTellWhatIsAndWhatWillBe() {
        settings.set("queenbee.replicas", "2");
        settings.set("console.session", "1h");

        Setting replicas = setting("queenbee.replicas");
        assertThat(replicas.value()).isEqualTo("3");
        assertThat(replicas.next()).isEqualTo("2");
        assertThat(replicas.isToChange()).isTrue();
        assertThat(setting("console.session").next()).isEqualTo("1h");
        assertThat(setting("queenbee.lease").isToChange()).isFalse();
        assertThat(file).hasContent("[queenbee]\nreplicas = 2\n[console]\nsession = \"1h\"\n");
    }

    @Test
    void shouldGoBackToTheDefault() {
        settings.set("queenbee.lease", "20s");

        settings.set("queenbee.lease", null);

        assertThat(setting("queenbee.lease").isToChange()).isFalse();
        assertThat(file).hasContent("[queenbee]\n");
    }

    @Test
    void shouldLeaveALinkAndChangeWhatItLeadsTo() throws IOException {
        Path real =
                Files.createFile(Files.createDirectory(folder.resolve("etc")).resolve("hive.toml"));
        Files.createSymbolicLink(file, folder.relativize(real));

        settings.set("queenbee.replicas", "2");

        assertThat(file).isSymbolicLink();
        assertThat(real).hasContent("[queenbee]\nreplicas = 2\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-------", "rw-rw-rw-"})
    void shouldLetThoseReadAndChangeTheFileWhoCouldBefore(String permissions) throws IOException {
        Files.setPosixFilePermissions(Files.createFile(file), PosixFilePermissions.fromString(permissions));

        settings.set("queenbee.replicas", "2");

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo(permissions);
    }

    @Test
    void shouldTellOfWhatRunsOtherwiseThanTheFileSays() {
        ConsoleConfig off = new ConsoleConfig("off", Duration.ofMinutes(30));
        Configuration running = new Configuration(Configuration.defaults().queenbee(), off);
        settings = new SettingsFile(file, Map.of(), running, Configuration.defaults());

        assertThat(setting("console.listen").value()).isEqualTo("off");
        assertThat(setting("console.listen").next()).isEqualTo("127.0.0.1:7070");
    }

    @Test
    void shouldNotAnnounceWhatTheCommandLineSaysOtherwise() throws IOException {
        Files.writeString(file, "[queenbee]\nlisten = \"0.0.0.0:7410\"\nreplicas = 2\n");
        Map<String, String> commandLine = Map.of("queenbee.replicas", "4", "queenbee.lease", "1m");
        Configuration running = ConfigurationFile.read(file, Configuration.class, commandLine);
        settings = new SettingsFile(file, commandLine, running, Configuration.defaults());

        assertThat(settings.list()).noneMatch(Setting::isToChange);
        assertRefused("queenbee.replicas", "3", Errno.EPERM);
        assertRefused("queenbee.replicas", null, Errno.EPERM);
        settings.set("queenbee.listen", "0.0.0.0:7411");
        assertThat(setting("queenbee.listen").next()).isEqualTo("0.0.0.0:7411");
        assertThat(setting("queenbee.replicas").next()).isEqualTo("4");
    }

    /** Not even together with what the command line says. */
    @Test
    void shouldRefuseWhatWouldKeepTheQueenBeeFromStarting() throws IOException {
        settings.set("queenbee.replicas", "2");

        assertRefused("queenbee.replicas", "17", Errno.EINVAL);
        assertRefused("queenbee.replicas", "many", Errno.EINVAL);
        assertRefused("queenbee.heartbeat", "10m", Errno.EINVAL);
        assertRefused("queenbee.colour", "blue", Errno.ENOENT);
        assertRefused("queenbee.state", "elsewhere", Errno.EPERM);

        settings = new SettingsFile(
                file, Map.of("queenbee.lease", "1m"), Configuration.defaults(), Configuration.defaults());
        settings.set("queenbee.fence-margin", "25s");
        assertRefused("queenbee.fence-margin", "50s", Errno.EINVAL);
    }

    @Test
    void shouldSayWhatIsWrongWithAValueAndNotWhereItMayBeFrom() {
        assertThatThrownBy(() -> settings.set("queenbee.replicas", "17"))
                .hasMessage("[queenbee] replicas is 17, and must be between 1 and 16");
        assertThatThrownBy(() -> settings.set("queenbee.replicas", "many"))
                .hasMessage("key 'queenbee.replicas': must be a whole number");
    }

    @Test
    void shouldNotTouchAFileThatItDoesNotUnderstand() throws IOException {
        Files.writeString(file, "queenbee = { replicas = 2 }\n");
        assertRefused("queenbee.replicas", "3", Errno.EINVAL);

        Files.writeString(file, "no TOML");
        assertRefused("queenbee.replicas", "3", Errno.EINVAL);
        assertThat(setting("queenbee.replicas").next()).isEqualTo("3");
    }
}
