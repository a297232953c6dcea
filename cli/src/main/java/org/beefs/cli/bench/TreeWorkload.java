package org.beefs.cli.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.state.TemporaryFolder;

/**
 * A tree of files in the hands of programs.
 *
 * @param prepared with the source as an archive, and as a repository if there is git
 */
record TreeWorkload(SourceTree source, TemporaryFolder prepared, boolean git) implements Workload {
    private static final String ARCHIVE = "source.tar";
    private static final String REPOSITORY = "source.git";

    /** Makes the archive and the repository, in the machine's folder for temporary files. */
    static TreeWorkload prepare(SourceTree source) throws IOException, InterruptedException {
        TemporaryFolder prepared = new TemporaryFolder(Files.createTempDirectory("beefs-bench"));
        boolean made = false;
        try {
            ShellCommand.of("tar cf " + ARCHIVE + " -C \"$1\" .", source.top()).run(prepared.path());
            TreeWorkload workload = new TreeWorkload(source, prepared, makeRepository(source, prepared));
            made = true;
            return workload;
        } finally {
            if (!made) {
                prepared.close();
            }
        }
    }

    private static boolean makeRepository(SourceTree source, TemporaryFolder prepared)
            throws IOException, InterruptedException {
        try {
            ShellCommand.of("command -v git").run(prepared.path());
        } catch (CommandFailure e) {
            return false;
        }
        ShellCommand.of(
                        "git init -q --bare " + REPOSITORY + " && export GIT_DIR=\"$PWD/" + REPOSITORY
                                + "\" GIT_WORK_TREE=\"$1\" && git add -A -f && "
                                + "git -c user.name=bench -c user.email=bench@localhost -c commit.gpgsign=false commit -q -m source",
                        source.top())
                .run(prepared.path());
        return true;
    }

    @Override
    public Subject subject() {
        return Subject.of(source, "");
    }

    @Override
    public List<Phase> phases() {
        Phase.Work find = run("find copy -ls >/dev/null");
        // Finding nothing is no failure.
        Phase.Work grep = run("grep -r 'no file has this line' copy || test $? = 1");
        List<Phase> phases = new ArrayList<>(List.of(
                Phase.of(
                        "Tar",
                        run("mkdir tar && tar xf \"$1\" -C tar", prepared.path().resolve(ARCHIVE))),
                Phase.of("Copy", run("cp -r \"$1\" copy", source.top())),
                Phase.cold("Find", find),
                Phase.cold("Grep", grep),
                Phase.of("Find", find),
                Phase.of("Grep", grep),
                Phase.of("Remove", run("rm -rf copy"))));
        if (git) {
            Path repository = prepared.path().resolve(REPOSITORY);
            phases.add(Phase.of("Clone", run("git clone -q --no-hardlinks \"$1\" clone", repository)));
            phases.add(Phase.of("Status first", run("git -C clone status")));
            phases.add(Phase.of("Status", run("git -C clone status")));
        }
        return phases;
    }

    @Override
    public void close() throws IOException {
        prepared.close();
    }

    private static Phase.Work run(String script, Path... arguments) {
        return folder -> ShellCommand.of(script, arguments).run(folder);
    }
}
