package org.beefs.queenbee.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.beefs.queenbee.QueenBeeConfig;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.MemoryStateStore;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;

/** All desktops together hold no more leases than the queen-bee has memory for. */
class LeaseBoundTest {
    private static final int ROWS = 1000;
    private static final int FILES_OF_EACH = 500;

    private final TestHive hive = new TestHive(
            new MemoryStateStore(),
            QueenBeeConfig.of(QueenBeeConfig.DEFAULT_LISTEN, Path.of("unused")),
            (long) Leases.HEAP_SHARE * LeaseTable.ROW_BYTES * ROWS);
    private final TestDesktop author = new TestDesktop(hive, "author").registered();
    private final List<TestDesktop> desktops = IntStream.range(0, 10)
            .mapToObj(number -> new TestDesktop(hive, "desk" + number).registered())
            .toList();

    @Test
    void shouldRecallThoseOfWhoHasMost() {
        long[] files = files(desktops.size() * FILES_OF_EACH);
        author.disconnect();

        for (int number = 0; number < files.length; number++) {
            desktops.get(number / FILES_OF_EACH).ok(Ask.attributes(files[number]));
        }

        assertThat(hive.queenBee().state().leases().size()).isBetween(1L, (long) ROWS);
        assertThat(desktops.getFirst().recalls()).singleElement().matches(recall -> recall.getEverything());
    }

    /** They share the rows of the table. */
    @Test
    void shouldNotMindThatManyLookAtTheSame() {
        long[] files = files(FILES_OF_EACH);
        author.disconnect();

        desktops.forEach(desktop -> LongStream.of(files).forEach(file -> desktop.ok(Ask.attributes(file))));

        assertThat(hive.queenBee().state().leases().size()).isGreaterThan(4L * ROWS);
        assertThat(desktops).allSatisfy(desktop -> assertThat(desktop.recalls()).isEmpty());
    }

    private long[] files(int number) {
        return IntStream.range(0, number)
                .mapToLong(each -> author.ok(Ask.mknod(Namespace.ROOT, "f" + each, 0100644))
                        .getNode()
                        .getAttributes()
                        .getInode())
                .toArray();
    }
}
