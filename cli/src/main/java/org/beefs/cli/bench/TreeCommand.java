package org.beefs.cli.bench;

import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine.Command;

/** Compares directories by what programs do to many small files. */
@Command(
        name = "tree",
        mixinStandardHelpOptions = true,
        description = {
            "A tree of files, in the hands of the programs that people use.",
            "",
            "In each DIR: tar xf (Tar), cp -r (Copy), find -ls (Find), grep -r (Grep), rm -rf (Remove); and, where there is git, git clone "
                    + "(Clone) and git status, the first (Status first) and another one (Status). The directories take turns, after "
                    + "one round that only warms up.",
            "",
            "Find and Grep are measured twice: cold, after a hive was mounted anew and the kernel's caches were dropped, for which it takes "
                    + "root, and warm. Of a hive it also tells what all of its daemons on this machine have used. How long a listing "
                    + "of very many entries takes, smallfiles tells."
        },
        footer = {
            "Example: both drivers beside the local disk",
            "  beefs mount native --driver native; beefs mount jnr --driver jnr",
            "  beefs bench tree /usr/include/linux /var/tmp native jnr"
        })
public final class TreeCommand extends TreeBenchmark {
    @Override
    Workload workload(SourceTree tree, PrintWriter err) throws IOException, InterruptedException {
        TreeWorkload workload = TreeWorkload.prepare(tree);
        if (!workload.git()) {
            say(err, "Clone and Status are left out: there is no git");
        }
        return workload;
    }
}
