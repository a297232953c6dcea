package org.beefs.cli.completion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.beefs.cli.Main;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.AutoComplete;
import picocli.CommandLine;

/** The shells themselves say what they offer; those that are not on every machine only where they are. */
class CompletionTest {
    @TempDir
    private Path folder;

    @Test
    void shouldCompleteInBash() throws IOException, InterruptedException {
        Path script = write("bash", AutoComplete.bash("beefs", Main.commandLine()));
        Files.createDirectory(folder.resolve("hive"));

        assertThat(bash(script, "beefs", "dra")).isEqualTo("drain");
        assertThat(bash(script, "beefs", "drain", "--ca")).isEqualTo("--cancel");
        assertThat(bash(script, "beefs", "bench", "an")).isEqualTo("andrew");
        assertThat(bash(script, "beefs", "bench", "andrew", "--ro")).isEqualTo("--rounds");
        assertThat(bash(script, "beefs", "mount", "--driver", "na")).isEqualTo("native");
        assertThat(bash(script, "beefs", "completion", "f")).isEqualTo("fish");
        assertThat(bash(script, "beefs", "console", "--role", "v")).isEqualTo("viewer");
        assertThat(bash(script, "beefs", "info", "hi")).isEqualTo("hive");
    }

    @Test
    void shouldCompleteInFish() throws IOException, InterruptedException {
        assumeThat(isInstalled("fish")).isTrue();
        Path script = write("fish", FishCompletion.of(Main.commandLine()));
        Files.createDirectory(folder.resolve("hive"));

        assertThat(fish(script, "beefs dra")).containsExactly("drain");
        assertThat(fish(script, "beefs drain --ca")).containsExactly("--cancel");
        assertThat(fish(script, "beefs bench an")).containsExactly("andrew");
        assertThat(fish(script, "beefs bench andrew --ro")).containsExactly("--rounds");
        assertThat(fish(script, "beefs mount --driver ")).containsExactly("automatic", "jnr", "native", "rings");
        assertThat(fish(script, "beefs completion f")).containsExactly("fish");
        assertThat(fish(script, "beefs info hi")).containsExactly("hive/");
        assertThat(fish(script, "beefs wake hi"))
                .as("no files where a desktop is wanted")
                .isEmpty();
    }

    @Test
    void shouldBeUnderstoodByZsh() throws IOException, InterruptedException {
        assumeThat(isInstalled("zsh")).isTrue();
        Path script = write("zsh", ZshCompletion.of(Main.commandLine()));

        // It completes only for people at a terminal, but an error of ours shows without one.
        assertThat(run("zsh", "-f", "-c", "source " + script + "; whence -w _beefs _beefs_bench_andrew"))
                .isEqualTo("_beefs: function\n_beefs_bench_andrew: function\n");
    }

    @Test
    void shouldTellZshAndFishOfEachCommandAndOption() {
        List<String> words = words(Main.commandLine()).toList();
        String zsh = ZshCompletion.of(Main.commandLine());
        String fish = FishCompletion.of(Main.commandLine());

        assertThat(words).contains("drain", "--cancel", "andrew", "--compile").doesNotContain("--background");
        assertThat(words).allSatisfy(word -> assertThat(zsh).contains(word));
        assertThat(words)
                .allSatisfy(word ->
                        assertThat(fish).containsPattern(word.startsWith("--") ? "-l " + word.substring(2) : word));
    }

    private static Stream<String> words(CommandLine command) {
        Stream<String> options = Described.options(command).stream().map(option -> option.longestName());
        Stream<String> below = command.getSubcommands().entrySet().stream()
                .flatMap(each -> Stream.concat(Stream.of(each.getKey()), words(each.getValue())));
        return Stream.concat(options, below);
    }

    private String bash(Path script, String... words) throws IOException, InterruptedException {
        String typed = Stream.of(words).map(word -> "'" + word + "'").collect(Collectors.joining(" "));
        return run(
                        "bash",
                        "-c",
                        "source %s; COMP_WORDS=(%s); COMP_CWORD=%d; _complete_beefs 2>/dev/null; echo \"${COMPREPLY[*]}\""
                                .formatted(script, typed, words.length - 1))
                .strip();
    }

    /** Without what it says of each. */
    private List<String> fish(Path script, String typed) throws IOException, InterruptedException {
        return run("fish", "--no-config", "-c", "source %s; complete -C '%s'".formatted(script, typed))
                .lines()
                .map(line -> line.replaceFirst("\t.*", ""))
                .toList();
    }

    private Path write(String shell, String script) throws IOException {
        return Files.writeString(folder.resolve("completion." + shell), script);
    }

    private static boolean isInstalled(String program) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
    }

    private String run(String... command) throws IOException, InterruptedException {
        ProcessBuilder program = new ProcessBuilder(new ArrayList<>(List.of(command)))
                .directory(folder.toFile())
                .redirectErrorStream(true);
        program.environment().put("HOME", folder.toString());
        Process running = program.start();
        running.getOutputStream().close();
        String said = new String(running.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        running.waitFor();
        return said;
    }
}
