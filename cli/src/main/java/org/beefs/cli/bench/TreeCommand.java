package org.beefs.cli.bench;

import picocli.CommandLine.Command;

/** Compares directories by what is done to many small files. */
@Command(
        name = "tree",
        mixinStandardHelpOptions = true,
        description = {
            "A tree of files, made, looked at, read and removed.",
            "",
            "In each DIR it makes the folders of SOURCE (Mkdir), copies its files (Copy), looks at all of them (Stat), reads all "
                    + "bytes (Grep) and removes the copy (Remove). The directories take turns, after one round that only warms "
                    + "up. Caches are left as they are."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:everything was measured", "1:a phase failed", "5:a folder cannot be used"},
        footer = {
            "",
            "Example: both drivers beside the local disk",
            "  beefs mount native --driver native; beefs mount jnr --driver jnr",
            "  beefs bench tree /usr/include/linux /var/tmp native jnr"
        })
public final class TreeCommand extends TreeBenchmark {
    @Override
    Workload workload(SourceTree tree) {
        return new TreeWorkload(tree, TreeWorkload.TREE, BuildCommand.NONE);
    }
}
