package org.beefs.integration.program;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;
import org.opentest4j.TestAbortedException;

/** Skips tests on machines that lack what they need, with a loud line for each. */
public final class Requirements implements ExecutionCondition {
    private static final PrintStream CONSOLE = System.out;

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        Optional<String> missing = AnnotationSupport.findAnnotation(context.getElement(), Requires.class)
                .flatMap(Requirements::firstMissing);
        if (missing.isEmpty()) {
            return ConditionEvaluationResult.enabled("all that it needs is there");
        }
        announce("SKIPPED: " + context.getDisplayName() + ": " + missing.get());
        return ConditionEvaluationResult.disabled(missing.get());
    }

    /** What a test throws that finds out late that it cannot run here. */
    public static TestAbortedException skip(String reason) {
        announce("SKIPPED: " + reason);
        return new TestAbortedException(reason);
    }

    /** Prints a line that nobody overlooks. */
    static void announce(String line) {
        CONSOLE.println(line);
        CONSOLE.flush();
    }

    /** Where a program is, among the crates that ./beefs test installs and on the path. */
    public static Optional<Path> find(String program) {
        Stream<Path> folders = Stream.concat(
                Stream.of(Folders.cache("crates").resolve("bin")),
                Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":", -1))
                        .map(Path::of));
        return folders.map(folder -> folder.resolve(program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** The same, for a program that the test requires. */
    public static String path(String program) {
        return find(program)
                .orElseThrow(() -> new IllegalStateException("@Requires must name " + program))
                .toString();
    }

    private static Optional<String> firstMissing(Requires requires) {
        if (requires.mount() && !Plain.isChosen()) {
            Optional<String> why = whyNoMount();
            if (why.isPresent()) {
                return why;
            }
        }
        if (requires.engine() && !isEngineThere()) {
            return Optional.of("no Docker engine answers; ./beefs test starts one where that is possible");
        }
        return List.of(requires.programs()).stream()
                .filter(program -> find(program).isEmpty())
                .findFirst()
                .map(program -> "there is no " + program + "; ./beefs test installs it where that is possible");
    }

    private static boolean isEngineThere() {
        return find("docker").isPresent()
                && Program.shell("timeout 20 docker info").runToAnyEnd().succeeded();
    }

    private static Optional<String> whyNoMount() {
        if (!Files.isWritable(Path.of("/dev/fuse"))) {
            return Optional.of("/dev/fuse cannot be opened, so nothing can be mounted here");
        }
        return "root".equals(System.getProperty("user.name"))
                ? Optional.empty()
                : Optional.of("only root may mount with allow_other");
    }
}
