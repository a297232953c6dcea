package org.beefs.integration.realprograms;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.beefs.integration.hive.InHive;
import org.beefs.integration.hive.Mounts;
import org.beefs.integration.program.Cleanup;
import org.beefs.integration.program.Length;
import org.beefs.integration.program.Program;
import org.beefs.integration.program.Requirements;
import org.beefs.integration.program.Requires;
import org.beefs.integration.program.RunningProgram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What programs do, and what they then find, is checked by the scripts with what the programs offer for it. */
@InHive
@Requires(programs = "bash")
class RealProgramsIT {
    private static final Duration DATABASE = Duration.ofMinutes(Length.of(1, 10));
    private static final int ROWS = Length.of(25, 500);

    @Test
    @Requires(programs = "git")
    void shouldKeepRepositories(Mounts mounts) {
        Work.of(mounts, "git").run(Length.of(20, 500));
    }

    /** Write-ahead logs are shared memory, so there both mounts are on one desktop. */
    @ParameterizedTest
    @ValueSource(strings = {"delete", "truncate", "persist", "wal"})
    @Requires(programs = "python3")
    void shouldShareADatabaseBetweenMounts(String mode, Mounts mounts) throws IOException {
        Path here = mounts.local();
        Path there = mode.equals("wal") ? mounts.sameDesktop() : mounts.otherDesktop();
        Path database = Files.createTempDirectory(here, "sqlite").resolve("database");
        python(
                        "import sqlite3, sys; sqlite3.connect(sys.argv[1], isolation_level=None).executescript('pragma journal_mode = "
                                + mode + "; create table log(writer, row, text); create table counter(total);"
                                + " insert into counter values (0)')",
                        database)
                .run();

        List<RunningProgram> writers = new ArrayList<>();
        for (Path mount : List.of(here, there, here, there)) {
            writers.add(python(
                            Work.script("sqlite.py"),
                            mount.resolve(here.relativize(database)),
                            mode,
                            writers.size(),
                            ROWS)
                    .start());
        }
        try {
            writers.forEach(writer -> writer.await(DATABASE).mustSucceed());
        } finally {
            Cleanup.close(writers);
        }

        for (Path mount : List.of(here, there)) {
            python(Work.script("sqlite-check.py"), mount.resolve(here.relativize(database)), writers.size(), ROWS)
                    .run();
        }
    }

    @Test
    @Requires(programs = "setpriv")
    void shouldRecoverADatabaseServer(Mounts mounts) throws IOException {
        try (Stream<Path> versions = Files.exists(Path.of("/usr/lib/postgresql"))
                ? Files.list(Path.of("/usr/lib/postgresql"))
                : Stream.empty()) {
            if (versions.noneMatch(version -> Files.isExecutable(version.resolve("bin/initdb")))) {
                throw Requirements.skip("there is no PostgreSQL server; apt-get install postgresql");
            }
        }
        Work.of(mounts, "postgresql").asNobody().run(Length.of(50, 2000));
    }

    @Test
    @Requires(programs = {"rsync", "setfacl", "setfattr"})
    void shouldBeTheSameForRsync(Mounts mounts) {
        Work.of(mounts, "rsync").run(Length.of(100, 5000));
    }

    @Test
    @Requires(programs = {"tar", "setfacl", "getfacl", "setfattr", "getfattr"})
    void shouldBeTheSameForTar(Mounts mounts) {
        Work.of(mounts, "tar").run(Length.of(100, 5000));
    }

    @Test
    @Requires(programs = {"autoreconf", "automake", "make", "gcc"})
    void shouldConfigureAndMake(Mounts mounts) {
        Work.of(mounts, "autotools").run(Length.of(1, 100));
    }

    @Test
    @Requires(programs = {"npm", "node"})
    void shouldInstallWithNpm(Mounts mounts) {
        Work.of(mounts, "npm").run(1);
    }

    @Test
    void shouldBuildWithMaven(Mounts mounts) {
        Work.of(mounts, "maven").run(1);
    }

    @Test
    @Requires(programs = "dpkg-deb")
    void shouldBuildAndUnpackPackages(Mounts mounts) {
        Work.of(mounts, "dpkg-deb").run(1);
    }

    @Test
    void shouldHoldVirtualEnvironments(Mounts mounts) {
        if (!Program.of("/usr/bin/python3", "-c", "import venv, ensurepip")
                .runToAnyEnd()
                .succeeded()) {
            throw Requirements.skip("there is no python3 with venv; apt-get install python3-venv");
        }
        Work.of(mounts, "venv").run(1);
    }

    private static Program python(String script, Object... arguments) {
        List<String> command = new ArrayList<>(List.of("python3", "-c", script));
        Stream.of(arguments).map(Object::toString).forEach(command::add);
        return Program.of(command);
    }
}
