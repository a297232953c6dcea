package org.beefs.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.beefs.cli.command.Commands;
import org.beefs.cli.program.ExitCode;
import org.beefs.common.rpc.RpcConnection;
import org.beefs.queenbee.journal.StateException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class CommandLineTest {
    @TempDir
    private Path temporary;

    private final CommandRun beefs = new CommandRun();

    static Stream<String> commands() {
        return Main.commandLine().getSubcommands().keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("commands")
    void shouldTeachWithHelp(String command) {
        assertThat(run(command.equals("help") ? new String[] {"help", "status"} : new String[] {command, "--help"}))
                .isZero();

        assertThat(beefs.out()).startsWith("Usage: beefs");
        assertThat(beefs.out().lines().count()).isGreaterThan(4);
    }

    @Test
    void shouldKnowEachCommandByTheNameThatItHas() {
        assertThat(Main.commandLine().getSubcommands())
                .allSatisfy((name, command) ->
                        assertThat(command.getCommandSpec().name()).isEqualTo(name));
    }

    @Test
    void shouldLookAtTheOneCommandOnlyThatIsCalled() {
        assertThat(Commands.calledBy("status", "--json"))
                .extracting(Map.Entry::getKey)
                .containsExactly("status");
        assertThat(Commands.calledBy("man", "status")).isEqualTo(Commands.all());
        assertThat(Commands.calledBy("statsu")).isEqualTo(Commands.all());
        assertThat(Commands.calledBy("--help")).isEqualTo(Commands.all());
        assertThat(Commands.calledBy("--version")).isEmpty();
        assertThat(Commands.calledBy("--version", "status")).isEqualTo(Commands.all());
        assertThat(Commands.calledBy()).isEqualTo(Commands.all());
    }

    /** All that do something, those of a group after its name. */
    static Stream<CommandLine> workingCommands() {
        return working(Main.commandLine());
    }

    private static Stream<CommandLine> working(CommandLine command) {
        return command.getSubcommands().isEmpty()
                ? Stream.of(command)
                : command.getSubcommands().values().stream().flatMap(CommandLineTest::working);
    }

    @ParameterizedTest
    @MethodSource("workingCommands")
    void shouldTeachByExamplesAndExitCodes(CommandLine command) {
        assumeThat(command.getCommandName()).as("picocli's own").isNotEqualTo("help");

        assertThat(command.getUsageMessage())
                .contains(
                        "Example",
                        "beefs " + command.getCommandSpec().qualifiedName().substring("beefs ".length()))
                .contains("Exit codes");
        assertThat(command.getCommandSpec().usageMessage().exitCodeList())
                .containsKey(Integer.toString(command.getCommandSpec().exitCodeOnInvalidInput()));
    }

    @ParameterizedTest
    @MethodSource("workingCommands")
    void shouldSpeakToScripts(CommandLine command) {
        assumeThat(command.getCommandName())
                .as("what runs until it is ended, or prints a file of another kind")
                .isNotIn("queenbee", "desktop", "completion", "man", "help");

        assertThat(command.getCommandSpec().optionsMap()).containsKey("--json");
    }

    @Test
    void shouldShowItsVersion() {
        assertThat(run("version")).isZero();
        assertThat(beefs.out()).contains("BeeFS", "protocol");
    }

    @Test
    void shouldShowItsVersionToScripts() {
        assertThat(run("version", "--json")).isZero();

        JsonNode versions = JsonMapper.shared().readTree(beefs.out());
        assertThat(versions.propertyNames()).containsExactly("beefs", "build", "protocol", "java");
        assertThat(versions.get("protocol").asInt()).isEqualTo(RpcConnection.PROTOCOL);
    }

    @Test
    void shouldTellScriptsThatNothingWasRunning() {
        assertThat(run("down", "--json", "--state", temporary.toString())).isZero();

        assertThat(JsonMapper.shared().readTree(beefs.out()))
                .isEqualTo(JsonMapper.shared().readTree("{\"stopped\":[],\"killed\":[]}"));
    }

    @Test
    void shouldPrintACompletionForEachShell() {
        for (String shell : List.of("bash", "zsh", "fish")) {
            CommandRun each = new CommandRun();
            assertThat(each.run("completion", shell)).isZero();
            assertThat(each.out()).contains("drain", "follow", "new-password");
        }
        assertThat(run("completion", "csh")).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void shouldAskForACommand() {
        assertThat(run()).isEqualTo(ExitCode.USAGE);
        assertThat(beefs.err()).contains("needs a command");
    }

    @Test
    void shouldEndWithTheUsageExitCodeOnAnUnknownOption() {
        assertThat(run("status", "--jsno")).isEqualTo(ExitCode.USAGE);
        assertThat(beefs.err()).startsWith("beefs: Unknown option: '--jsno'\n").contains("--json");
    }

    @Test
    void shouldSayWhichCommandThereIsNoManualPageOf() {
        assertThat(run("man", "nope")).isEqualTo(ExitCode.USAGE);
        assertThat(beefs.err()).startsWith("beefs: there is no command nope\nUsage: beefs man");
    }

    @Test
    void shouldSayWhichTimeIsWrong() {
        assertThat(run("trace", "x", "--slow", "1x")).isEqualTo(ExitCode.USAGE);
        assertThat(run("top", "--interval", "1x")).isEqualTo(ExitCode.USAGE);
        assertThat(run("pause", "1x")).isEqualTo(ExitCode.USAGE);

        String form = ": '1x' is not a duration; write for example 250ms, 30s, 5m or 24h";
        assertThat(beefs.err().lines())
                .containsExactly("beefs: --slow" + form, "beefs: --interval" + form, "beefs: TIME" + form);
    }

    @Test
    void shouldSayThatNothingCanBeMadeWhereTheStateIsToBe() {
        assertThat(run("up", "--state", "/proc/x")).isEqualTo(ExitCode.FOLDER);
        assertThat(beefs.err()).isEqualTo("beefs: cannot use the state folder /proc/x: nothing can be made there\n");
    }

    @Test
    void shouldSayWhatThereIsToChooseAsUsersTypeIt() {
        assertThat(run("completion", "csh")).isEqualTo(ExitCode.USAGE);
        assertThat(beefs.err()).startsWith("beefs: ").contains("'csh' is none of these: bash, zsh, fish\n");

        assertThat(run("console", "--new-password", "--role", "boss")).isEqualTo(ExitCode.USAGE);
        assertThat(beefs.err())
                .contains("beefs: Invalid value for option '--role': 'boss' is none of these: viewer, administrator\n");
        assertThat(run("completion", "BASH")).isZero();

        assertThat(run("mount", "x", "--driver", "fast")).isEqualTo(ExitCode.USAGE);
        assertThat(beefs.err())
                .contains("beefs: Invalid value for option '--driver': "
                        + "'fast' is none of these: automatic, native, rings, jnr\n");
    }

    @Test
    void shouldSayWhichKindsOfEventsThereAre() {
        assertThat(run("events", "--kind", "actions", "--state", temporary.toString()))
                .isEqualTo(ExitCode.USAGE);
        assertThat(beefs.err()).contains("actions", "hive, desktop, action, login");
    }

    @Test
    void shouldSayWhatASettingOfAFileMayBe() {
        assertThat(run("set", "x", "--coherence", "5")).isEqualTo(ExitCode.USAGE);
        assertThat(run("set", "x", "--coherence", "-5s")).isEqualTo(ExitCode.USAGE);
        assertThat(run("set", "x", "--coherence", "366d")).isEqualTo(ExitCode.USAGE);
        assertThat(run("set", "x", "--replicas", "99")).isEqualTo(ExitCode.USAGE);
        assertThat(run("set", "x", "--replicas", "many")).isEqualTo(ExitCode.USAGE);
        assertThat(run("set", "x", "--p-factor", "-1")).isEqualTo(ExitCode.USAGE);
        assertThat(run("set", "x", "--recursive")).isEqualTo(ExitCode.USAGE);

        assertThat(beefs.err().lines())
                .containsExactly(
                        "beefs: --coherence: '5' is not a duration; write for example 250ms, 30s, 5m or 24h",
                        "beefs: --coherence: '-5s' is not a duration; write for example 250ms, 30s, 5m or 24h",
                        "beefs: --coherence is at most 365d",
                        "beefs: --replicas is from 1 to 16, or default",
                        "beefs: --replicas is from 1 to 16, or default",
                        "beefs: --p-factor is from 0 to 16, or default",
                        "beefs: say what to set: --replicas, --coherence or --p-factor");
    }

    @Test
    void shouldNotIgnoreAnAccountToWhichNothingIsDone() {
        assertThat(run("console", "--account", "bob")).isEqualTo(ExitCode.USAGE);
        assertThat(run("console", "--role", "viewer")).isEqualTo(ExitCode.USAGE);
        assertThat(run("console", "--list", "--new-token", "prometheus")).isEqualTo(ExitCode.USAGE);

        assertThat(beefs.err().lines())
                .containsExactly(
                        "beefs: --account needs --new-password",
                        "beefs: --role needs --new-password or --new-token",
                        "beefs: only one of these at a time: --new-password, --new-token, --list, --remove-account, --remove-token");
    }

    @Test
    void shouldSayInOneLineThatThereIsNoHive() {
        assertThat(run("status", "--state", temporary.resolve("none").toString()))
                .isEqualTo(ExitCode.NOT_RUNNING);
        assertThat(beefs.err())
                .startsWith("beefs: there is no hive in " + temporary.resolve("none"))
                .contains("--state", "BEEFS_STATE")
                .hasLineCount(1);
    }

    /** As a unit does where the machine's name is not what the manual's reader has taken it for. */
    @Test
    void shouldNotStartADesktopThatNobodyHasSetUpBesideOneThatIs() throws IOException {
        Path configured = Files.createDirectory(temporary.resolve("desk7"));
        Files.createFile(configured.resolve("desktop.toml"));

        assertThat(run("desktop", "fedora", "--state", temporary.toString())).isEqualTo(ExitCode.CONFIGURATION);

        assertThat(beefs.err())
                .contains("there is no " + temporary.resolve("fedora/desktop.toml"))
                .hasLineCount(1);
        assertThat(temporary.resolve("fedora")).doesNotExist();
    }

    @Test
    void shouldTakeAnAtSignForAPartOfAName() throws IOException {
        Files.writeString(temporary.resolve("words"), "one two");

        run("info", "@" + temporary.resolve("words"));

        assertThat(beefs.err()).contains("@" + temporary).hasLineCount(1);
    }

    /** As on the server of a hive whose desktops are other machines. */
    @Test
    void shouldSayHowToRebuildFromHoneycombsOfOtherMachines() throws IOException {
        Path queenBee = Files.createDirectory(temporary.resolve("queenbee"));
        Files.writeString(queenBee.resolve("queenbee.toml"), "[queenbee]\nlisten = \"127.0.0.1:0\"\n");

        assertThat(run("recover", "--state", temporary.toString())).isEqualTo(ExitCode.FAILED);

        assertThat(beefs.err())
                .contains("beefs queenbee --recover --honeycombs")
                .hasLineCount(1);
    }

    /** What is run in the foreground by hand is nobody's to start again. */
    @Test
    void shouldNameThePlaceOfTheManualThatSaysHowToRebuild() throws IOException {
        String manual = Files.readString(Path.of("../docs/OPERATIONS.md"));

        assertThat(StateException.RESTORE).contains("unit beefs-recovery", "'Rebuilding the queen-bee'");
        assertThat(manual).contains("beefs-recovery.service", "### Rebuilding the queen-bee");
    }

    /** Each as far as the first file that it reads. */
    @Test
    void shouldUnderstandTheCommandsThatMessagesAboutALostStateName() throws IOException {
        Path queenBee = Files.createDirectory(temporary.resolve("queenbee"));
        Files.writeString(queenBee.resolve("queenbee.toml"), "no TOML");

        List<String> commands = Pattern.compile(" {2}beefs (.+?)(?= {2}|$)")
                .matcher(StateException.RESTORE)
                .results()
                .map(found -> found.group(1))
                .toList();

        assertThat(commands).hasSize(1).allSatisfy(command -> {
            String words = command.replace(";", "") + " --state " + temporary;
            assertThat(run(words.split(" "))).as(command).isNotEqualTo(ExitCode.USAGE);
        });
    }

    @Test
    void shouldNotPassForDoneWhereThereIsNoHiveToBringFilesFrom() {
        assertThat(run("warmup", temporary.toString())).isEqualTo(ExitCode.FAILED);
        assertThat(beefs.err()).contains(" is in no hive").hasLineCount(1);
    }

    @Test
    void shouldHaveNothingToStopWithoutAHive() {
        assertThat(run("down", "--state", temporary.toString())).isZero();
        assertThat(temporary).isEmptyDirectory();
    }

    @Test
    void shouldRefuseToMountWithoutAHive() {
        assertThat(run("mount", "x", "--state", temporary.toString())).isEqualTo(ExitCode.NOT_RUNNING);
        assertThat(beefs.err()).contains("run  beefs up  first");
    }

    @Test
    void shouldSayThatNothingIsMounted() {
        Path directory = temporary.resolve("plain");

        assertThat(run("umount", directory.toString(), "--state", temporary.toString()))
                .isEqualTo(ExitCode.FAILED);
        assertThat(beefs.err()).startsWith("beefs: no hive is mounted at ").hasLineCount(1);
    }

    private int run(String... words) {
        return beefs.run(words);
    }
}
