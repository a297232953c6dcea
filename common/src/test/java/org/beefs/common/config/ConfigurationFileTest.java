package org.beefs.common.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigurationFileTest {
    record Daemon(
            String name,
            InetSocketAddress queenBee,
            Duration heartbeatInterval,
            int threads,
            boolean verbose,
            Optional<Path> log,
            List<String> tags,
            Comb comb) {
        Daemon {
            if (threads < 1) {
                throw new IllegalArgumentException("threads must be 1 or more");
            }
        }

        static Daemon defaults() {
            return new Daemon(
                    "desk",
                    Addresses.parse("127.0.0.1:7000"),
                    Duration.ofSeconds(2),
                    2,
                    false,
                    Optional.empty(),
                    List.of(),
                    Comb.defaults());
        }
    }

    record Comb(ByteSize capacity, long limit) {
        Comb {
            if (capacity.bytes() == 0) {
                throw new IllegalArgumentException("capacity must be above 0");
            }
        }

        static Comb defaults() {
            return new Comb(ByteSize.parse("1G"), 5);
        }
    }

    record Strict(String name) {}

    @TempDir
    Path folder = Path.of("");

    @Test
    void shouldTakeDefaultsForWhatIsMissing() {
        assertThat(read("")).isEqualTo(Daemon.defaults());
        assertThat(ConfigurationFile.read(null, Daemon.class, Map.of())).isEqualTo(Daemon.defaults());
    }

    @Test
    void shouldReadEveryKindOfValue() {
        Daemon daemon = read("""
                name = "desk4"
                queen-bee = "queen.example.org:7001"
                heartbeat-interval = "250ms"
                threads = 4
                verbose = true
                log = "/var/log/beefs"
                tags = ["a", "b"]
                [comb]
                capacity = "1.5G"
                """);

        assertThat(daemon)
                .isEqualTo(new Daemon(
                        "desk4",
                        InetSocketAddress.createUnresolved("queen.example.org", 7001),
                        Duration.ofMillis(250),
                        4,
                        true,
                        Optional.of(Path.of("/var/log/beefs")),
                        List.of("a", "b"),
                        new Comb(ByteSize.parse("1.5G"), 5)));
    }

    @Test
    void shouldLetTheCommandLineOverrideTheFile() {
        Path file = write("name = \"desk4\"\n[comb]\ncapacity = \"2G\"\n");
        Map<String, String> overrides =
                Map.of("name", "other", "threads", "7", "comb.limit", "9", "tags", "x,y", "verbose", "true");

        Daemon daemon = ConfigurationFile.read(file, Daemon.class, overrides);

        assertThat(daemon.name()).isEqualTo("other");
        assertThat(daemon.threads()).isEqualTo(7);
        assertThat(daemon.tags()).containsExactly("x", "y");
        assertThat(daemon.verbose()).isTrue();
        assertThat(daemon.comb()).isEqualTo(new Comb(ByteSize.parse("2G"), 9));
    }

    @Test
    void shouldNameUnknownKeysAndTheKnownOnes() {
        assertProblem(
                "[comb]\ncapcity = \"2G\"", "key 'comb.capcity': there is no such key; there are capacity, limit");
    }

    @Test
    void shouldShowTheRightFormOfEachKindOfValue() {
        assertProblem("name = 3", "key 'name': must be text in quotes");
        assertProblem("threads = \"4\"", "key 'threads': must be a whole number, without quotes");
        assertProblem("threads = 4.5", "key 'threads': must be a whole number from -2147483648 to 2147483647");
        assertProblem("threads = 3000000000", "key 'threads': must be a whole number from -2147483648 to 2147483647");
        assertProblem("verbose = 1", "key 'verbose': must be true or false");
        assertProblem("verbose = \"true\"", "key 'verbose': must be true or false, without quotes");
        assertProblem("heartbeat-interval = 3", "key 'heartbeat-interval': must be a duration, such as \"30s\"");
        assertProblem(
                "heartbeat-interval = \"3\"",
                "key 'heartbeat-interval': '3' is not a duration; write for example 250ms, 30s, 5m or 24h");
        assertProblem(
                "queen-bee = \"here\"",
                "key 'queen-bee': 'here' is not an address; write host:port, for example 127.0.0.1:7000");
        assertProblem("tags = 1", "key 'tags': must be a list, such as [\"a\", \"b\"]");
        assertProblem("tags = \"a,b\"", "key 'tags': must be a list, such as [\"a\", \"b\"]");
        assertProblem("comb = 1", "key 'comb': is a table; write [comb]");
        assertProblem(
                "[comb]\ncapacity = \"much\"",
                "key 'comb.capacity': 'much' is not a size; write for example 500M, 1.5G or 2T");
    }

    @Test
    void shouldRefuseFewBytesWithoutAUnit() {
        String problem = "key 'comb.capacity': 200 would be bytes; write a unit, for example \"200M\" or \"200G\"";

        assertProblem("[comb]\ncapacity = 200", problem);
        assertProblem("[comb]\ncapacity = \"200\"", problem);
        assertThatThrownBy(() -> ConfigurationFile.read(null, Daemon.class, Map.of("comb.capacity", "200")))
                .hasMessage("command line: " + problem);
        assertThat(read("[comb]\ncapacity = \"200B\"").comb().capacity()).isEqualTo(new ByteSize(200));
        assertThat(read("[comb]\ncapacity = 1048576").comb().capacity()).isEqualTo(ByteSize.parse("1M"));
    }

    @Test
    void shouldRefuseAFractionWithoutAUnit() {
        assertProblem(
                "[comb]\ncapacity = \"1.5\"",
                "key 'comb.capacity': 1.5 would be bytes; write a unit, for example \"1.5M\" or \"1.5G\"");
        assertProblem(
                "[comb]\ncapacity = \" 0.5 \"",
                "key 'comb.capacity': 0.5 would be bytes; write a unit, for example \"0.5M\" or \"0.5G\"");
        assertThat(read("[comb]\ncapacity = \"1.5M\"").comb().capacity()).isEqualTo(ByteSize.parse("1.5M"));
    }

    @Test
    void shouldPassOnWhatARecordRejects() {
        assertProblem("threads = 0", "threads must be 1 or more");
        assertProblem("[comb]\ncapacity = 0", "[comb] capacity must be above 0");
    }

    @Test
    void shouldBlameTheCommandLineForItsOwnMistakes() {
        assertThatThrownBy(() -> ConfigurationFile.read(null, Daemon.class, Map.of("threads", "x")))
                .hasMessage("command line: key 'threads': must be a whole number");
    }

    @Test
    void shouldNameWhatIsFromTheCommandLineInATableThatARecordRejects() {
        Path file = write("[comb]\ncapacity = \"2G\"\n");

        assertThatThrownBy(() -> ConfigurationFile.read(file, Daemon.class, Map.of("comb.capacity", "0B")))
                .hasMessage(file + " with comb.capacity from the command line: [comb] capacity must be above 0");
        assertThatThrownBy(() -> ConfigurationFile.read(file, Daemon.class, Map.of("threads", "0")))
                .hasMessage(file + " with threads from the command line: threads must be 1 or more");
        Path wrong = write("[comb]\ncapacity = 0\n");
        assertThatThrownBy(() -> ConfigurationFile.read(wrong, Daemon.class, Map.of("threads", "2")))
                .hasMessage(wrong + ": [comb] capacity must be above 0");
    }

    @Test
    void shouldRequireKeysWithoutDefault() {
        assertThatThrownBy(() -> ConfigurationFile.read(null, Strict.class, Map.of()))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("configuration: key 'name': is missing");
    }

    @Test
    void shouldSayInOneLineThatAFileIsNotToml() {
        Path file = write("name = \"desk\"\nthreads : 3\n");

        assertThatThrownBy(() -> ConfigurationFile.read(file, Daemon.class, Map.of()))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageStartingWith(file + ", line 2: this is not TOML: ")
                .message()
                .doesNotContain("\n");
    }

    @Test
    void shouldSayThatAFileIsNotThere() {
        Path file = folder.resolve("absent.toml");

        assertThatThrownBy(() -> ConfigurationFile.read(file, Daemon.class, Map.of()))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage(file + ": there is no such file");
    }

    private Daemon read(String toml) {
        return ConfigurationFile.read(write(toml), Daemon.class, Map.of());
    }

    private void assertProblem(String toml, String problem) {
        assertThatThrownBy(() -> read(toml))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage(folder.resolve("beefs.toml") + ": " + problem);
    }

    private Path write(String toml) {
        try {
            return Files.writeString(folder.resolve("beefs.toml"), toml);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
