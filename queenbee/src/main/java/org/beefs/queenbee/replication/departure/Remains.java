package org.beefs.queenbee.replication.departure;

import java.util.List;
import java.util.stream.Stream;
import org.beefs.queenbee.namespace.Inode;

/**
 * What files have in a honeycomb, or in some, as the hive counts on it.
 *
 * @param primaries files whose primaries are there
 * @param copies secondaries there
 * @param examples some of these files, for people
 */
public record Remains(long primaries, long copies, List<String> examples) {
    static final Remains NOTHING = new Remains(0, 0, List.of());

    private static final int MOST_EXAMPLES = 3;

    public boolean isNothing() {
        return primaries == 0 && copies == 0;
    }

    Remains withPrimary(Inode inode) {
        return plus(new Remains(1, 0, examples(inode)));
    }

    Remains withCopy(Inode inode) {
        return plus(new Remains(0, 1, examples(inode)));
    }

    Remains plus(Remains other) {
        return new Remains(
                primaries + other.primaries,
                copies + other.copies,
                other.examples.isEmpty()
                        ? examples
                        : Stream.concat(examples.stream(), other.examples.stream())
                                .limit(MOST_EXAMPLES)
                                .toList());
    }

    private List<String> examples(Inode inode) {
        return examples.size() < MOST_EXAMPLES ? List.of(name(inode)) : List.of();
    }

    private static String name(Inode inode) {
        return inode.links() == 0 ? "a removed file that is open" : inode.path();
    }
}
