package org.beefs.queenbee.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.beefs.common.wire.QueenReply;
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
            (long) LeaseRoom.HEAP_SHARE * LeaseTable.ROW_BYTES * ROWS);
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

    /** Each time the table is laid out anew, which takes as long as it is large. */
    @Test
    void shouldRecallAQuarterOfAllLeasesAtOnce() {
        long[] files = files(ROWS + 1);
        endTheAuthor();
        desktops.forEach(TestDesktop::holdOn);

        for (int number = 0; number < ROWS; number++) {
            for (int each = 0; each < desktops.size() / 2; each++) {
                desktops.get((number + each) % desktops.size()).ok(Ask.attributes(files[number]));
            }
        }
        desktops.getFirst().ok(Ask.attributes(files[ROWS]));

        assertThat(desktops.stream().filter(desktop -> !desktop.recalls().isEmpty()))
                .hasSize(3);
    }

    @Test
    void shouldLeaseWhatIsLeasedWhileThereIsNoRoomForMore() {
        long[] files = files(ROWS + 1);
        endTheAuthor();
        TestDesktop most = desktops.getFirst();
        TestDesktop few = desktops.getLast();
        LongStream.of(files).limit(ROWS - 1).forEach(file -> most.ok(Ask.attributes(file)));
        few.ok(Ask.attributes(files[ROWS - 1]));
        most.holdOn();

        assertThat(isLeased(few.ok(Ask.attributes(files[ROWS])))).isFalse();
        assertThat(isLeased(few.ok(Ask.attributes(files[ROWS - 1])))).isTrue();
    }

    /** With all the leases that it has. */
    private void endTheAuthor() {
        author.disconnect();
        hive.advance(desktops, Duration.ofMinutes(2));
        assertThat(hive.queenBee().state().leases().size()).isZero();
    }

    private static boolean isLeased(QueenReply reply) {
        return reply.getNode().getAttributesLeased();
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
