package org.beefs.queenbee.console.model.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.beefs.queenbee.console.ConsoleHive;
import org.beefs.queenbee.console.model.file.Usage.Amount;
import org.beefs.queenbee.console.model.file.Usage.Part;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Trees are added up as du(1) does. */
class UsageTest {
    private static final long ROOT = Namespace.ROOT;

    /** Of the files that {@link ConsoleHive} makes. */
    private static final long SIZE = 100;

    @TempDir
    private Path folder;

    private final TestHive hive = new TestHive();
    private final TestDesktop user = new TestDesktop(hive, "desk").registered();
    private ConsoleHive console;

    @BeforeEach
    void open() {
        new TestDesktop(hive, "other").registered();
        console = new ConsoleHive(hive, folder);
    }

    private long directory(long parent, String name) {
        return user.ok(Ask.mkdir(parent, name, 0755)).getNode().getAttributes().getInode();
    }

    private void move(String name, long to) {
        user.ok(Ask.rename(ROOT, name, to, name));
    }

    private Usage usage(String path) {
        return console.model().files().usage(console.model().files().at(path));
    }

    @Test
    void shouldAddUpWhatIsBelowEachEntry() {
        long deep = directory(directory(ROOT, "d"), "e");
        console.makeFile("one", 1);
        console.makeFile("two", 1, 2);
        console.makeFile("top", 1);
        move("one", deep);
        move("two", deep);

        Usage usage = usage("/");

        assertThat(usage.total()).isEqualTo(new Amount(3, 3, 3 * SIZE, 4 * SIZE));
        assertThat(usage.parts()).extracting(Part::name).containsExactly("d", "top");
        assertThat(usage.parts()).extracting(Part::directory).containsExactly(true, false);
        assertThat(usage.parts())
                .extracting(Part::amount)
                .containsExactly(new Amount(2, 2, 2 * SIZE, 3 * SIZE), new Amount(1, 0, SIZE, SIZE));
        assertThat(usage.others()).isEqualTo(Amount.NOTHING);
        assertThat(usage("/d/e").total()).isEqualTo(new Amount(2, 1, 2 * SIZE, 3 * SIZE));
        assertThat(usage("/d/e/one"))
                .isEqualTo(new Usage("/d/e/one", new Amount(1, 0, SIZE, SIZE), List.of(), Amount.NOTHING));
    }

    /** As truncate(1) makes them. */
    @Test
    void shouldAddUpSizesThatAreMoreThanANumberHolds() {
        long deep = directory(ROOT, "d");
        console.makeFileOfSize(5L << 60, "one", 1, 2);
        console.makeFileOfSize(5L << 60, "two", 1);
        move("one", deep);
        move("two", deep);
        for (int i = 0; i < UsageWalk.MOST_NAMED; i++) {
            console.makeFileOfSize(6L << 60, "other" + i, 1);
        }
        console.makeFileOfSize(5L << 60, "left", 1);
        console.makeFileOfSize(5L << 60, "out", 1);

        Usage usage = usage("/");

        assertThat(usage("/d").total()).isEqualTo(new Amount(2, 1, Long.MAX_VALUE, Long.MAX_VALUE));
        assertThat(usage("/d/one").total()).isEqualTo(new Amount(1, 0, 5L << 60, Long.MAX_VALUE));
        assertThat(usage.total().bytes()).isEqualTo(Long.MAX_VALUE);
        assertThat(usage.others().bytes()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldCountAFileWithSeveralNamesOnce() {
        long file = console.makeFile("name", 1);
        user.ok(Ask.link(file, directory(ROOT, "d"), "other"));

        assertThat(usage("/").total()).isEqualTo(new Amount(1, 2, SIZE, SIZE));
        assertThat(usage("/d").total()).isEqualTo(new Amount(1, 1, SIZE, SIZE));
    }

    @Test
    void shouldCountOnlyReplicasThatHoldSomething() {
        long file = console.makeFile("file", 1);
        console.addSecondary(file, 2, 0);
        user.ok(Ask.symlink(ROOT, "soft", "file"));
        user.ok(Ask.mknod(ROOT, "fifo", 0010644));

        assertThat(usage("/").total()).isEqualTo(new Amount(3, 1, SIZE + "file".length(), SIZE));
    }

    @Test
    void shouldNameTheLargestOfMany() {
        long large = directory(ROOT, "large");
        console.makeFile("in it", 1);
        move("in it", large);
        console.makeFile("also in it", 1);
        move("also in it", large);
        int more = UsageWalk.MOST_NAMED + 10;
        LongStream.range(0, more).forEach(i -> console.makeFile("file" + i, 1));

        Usage usage = usage("/");

        assertThat(usage.parts()).hasSize(UsageWalk.MOST_NAMED);
        assertThat(usage.parts().getFirst().name()).isEqualTo("large");
        assertThat(usage.others().files()).isEqualTo(11);
        assertThat(usage.total().files()).isEqualTo(more + 2);
    }

    @Test
    void shouldAddUpMoreThanAStep() {
        long directory = directory(ROOT, "d");
        for (int i = 0; i < 1100; i++) {
            directory(directory, "d" + i);
            directory(ROOT, "e" + i);
        }

        assertThat(usage("/").total().directories()).isEqualTo(2202);
    }
}
