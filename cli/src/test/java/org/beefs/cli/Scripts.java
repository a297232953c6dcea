package org.beefs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Shell scripts of a test. */
final class Scripts {
    private Scripts() {}

    /** Makes a program of a script, and the folder for it. */
    static void write(Path program, String script) throws IOException {
        Files.createDirectories(program.resolveSibling("."));
        Files.writeString(program, script.startsWith("#!") ? script : "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** Copies a folder with the times of its files. */
    static void copy(Path folder, Path to) throws IOException, InterruptedException {
        run(new ProcessBuilder("cp", "-a", folder.toString(), to.toString()));
    }

    /** Answers all that a program says; it must succeed. */
    static String run(ProcessBuilder program) throws IOException, InterruptedException {
        Process running = program.redirectErrorStream(true).start();
        String output = new String(running.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(running.waitFor()).as(output).isZero();
        return output;
    }
}
