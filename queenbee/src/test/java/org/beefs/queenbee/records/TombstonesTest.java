package org.beefs.queenbee.records;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.beefs.common.wire.DeclareLost;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.CatalogCheck;
import org.beefs.queenbee.testing.MemoryStateStore;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;

/** What is remembered of inodes that are gone while desktops are away, and for how long. */
class TombstonesTest {
    private static final Duration A_MOMENT = Duration.ofSeconds(2);

    /** Until who went holds no leases any more. */
    private static final Duration SILENCE = Duration.ofSeconds(6);

    /** Until what was committed is sealed. */
    private static final Duration SETTLING = Duration.ofSeconds(15);

    private final TestHive hive = new TestHive(new MemoryStateStore());
    private final List<TestDesktop> awake = new ArrayList<>();

    private TestDesktop desktop(String name) {
        TestDesktop desktop = new TestDesktop(hive, name);
        come(desktop);
        return desktop;
    }

    private void come(TestDesktop desktop) {
        awake.add(desktop.registered());
        pass(A_MOMENT);
    }

    private void go(TestDesktop desktop) {
        awake.remove(desktop);
        desktop.disconnect();
        pass(SILENCE);
    }

    private void lose(TestDesktop desktop) {
        go(desktop);
        awake.getFirst()
                .ok(QueenRequest.newBuilder()
                        .setDeclareLost(DeclareLost.newBuilder().setDesktop(desktop.name())));
        pass(A_MOMENT);
    }

    private void restart() {
        hive.restart();
        awake.forEach(TestDesktop::registered);
        pass(SILENCE); // until nobody waits for the others any more
    }

    private void pass(Duration time) {
        hive.advance(awake, time);
    }

    private static long directory(TestDesktop desktop, String name) {
        return desktop.ok(Ask.mkdir(Namespace.ROOT, name, 0755))
                .getNode()
                .getAttributes()
                .getInode();
    }

    private static long file(TestDesktop desktop, String name) {
        long handle = desktop.newHandle();
        long file = desktop.ok(Ask.create(Namespace.ROOT, name, 0644, handle))
                .getNode()
                .getAttributes()
                .getInode();
        desktop.ok(Ask.release(
                file,
                handle,
                desktop.replica(file, ReplicaStatus.newBuilder().setSize(10).setObservation(1))));
        return file;
    }

    private int remembered() {
        return hive.queenBee().state().records().tombstones();
    }

    private static boolean keepsThatItIsGone(TestDesktop desktop, long inode) {
        return desktop.records().containsKey(inode)
                && desktop.records().get(inode).getRemoved();
    }

    private void assertAgrees(TestDesktop desktop) {
        assertThat(CatalogCheck.differences(
                        hive.queenBee().state(),
                        Map.of(
                                hive.number(desktop.name()),
                                List.copyOf(desktop.records().values()))))
                .isEmpty();
    }

    @Test
    void shouldNotWaitForADesktopThatWasLostBefore() {
        TestDesktop writer = desktop("writer");
        TestDesktop lost = desktop("lost");
        TestDesktop absent = desktop("absent");
        desktop("other");
        lose(lost);
        directory(writer, "d");
        pass(A_MOMENT);
        go(absent);
        writer.ok(Ask.rmdir(Namespace.ROOT, "d"));
        pass(A_MOMENT);
        assertThat(remembered()).isOne();

        come(absent);

        assertThat(remembered()).isZero();
        assertAgrees(absent);
    }

    @Test
    void shouldNotWaitForADesktopThatIsLostWhileItKeepsThatSomethingIsGone() {
        TestDesktop writer = desktop("writer");
        TestDesktop keeper = desktop("keeper");
        TestDesktop absent = desktop("absent");
        long file = file(absent, "f");
        pass(A_MOMENT);
        go(absent);
        writer.ok(Ask.unlink(Namespace.ROOT, "f"));
        pass(A_MOMENT);
        assertThat(keepsThatItIsGone(keeper, file)).isTrue();

        lose(keeper);
        restart();
        assertThat(remembered()).as("the one that is away may have the record").isOne();
        assertThat(keepsThatItIsGone(writer, file)).isTrue();
        come(absent);

        assertThat(remembered()).isZero();
        assertAgrees(writer);
        assertAgrees(absent);
    }

    @Test
    void shouldHaveOthersKeepWhatTheLostKept() {
        TestDesktop writer = desktop("writer");
        TestDesktop absent = desktop("absent");
        TestDesktop other = new TestDesktop(hive, "other");
        long file = file(absent, "f");
        pass(A_MOMENT);
        go(absent);
        writer.ok(Ask.unlink(Namespace.ROOT, "f"));
        pass(A_MOMENT);
        assertThat(keepsThatItIsGone(writer, file)).isTrue();

        come(other);
        assertThat(keepsThatItIsGone(other, file)).isFalse();
        lose(writer);

        assertThat(keepsThatItIsGone(other, file)).isTrue();
        come(absent);
        assertThat(remembered()).isZero();
        assertAgrees(other);
        assertAgrees(absent);
    }

    /** Each pass looks at some, so that others are served meanwhile. */
    @Test
    void shouldGoOnAfterARestartToHaveOthersKeepWhatTheLostKept() {
        TestDesktop writer = desktop("writer");
        TestDesktop absent = desktop("absent");
        TestDesktop other = new TestDesktop(hive, "other");
        List<Long> files =
                IntStream.range(0, 3000).mapToObj(i -> file(absent, "f" + i)).toList();
        pass(A_MOMENT);
        go(absent);
        IntStream.range(0, files.size()).forEach(i -> writer.ok(Ask.unlink(Namespace.ROOT, "f" + i)));
        pass(A_MOMENT);
        assertThat(files).allMatch(file -> keepsThatItIsGone(writer, file));
        come(other);
        go(writer);

        hive.submit(
                other.numbered(QueenRequest.newBuilder()
                        .setDeclareLost(DeclareLost.newBuilder().setDesktop("writer"))),
                other);
        hive.queenBee().runPass();
        assertThat(hive.queenBee().hasWork()).as("not all is done in one pass").isTrue();
        restart();

        assertThat(files).allMatch(file -> keepsThatItIsGone(other, file));
        come(absent);
        assertThat(remembered()).isZero();
        assertAgrees(other);
        assertAgrees(absent);
    }

    @Test
    void shouldWaitForALostDesktopThatHasTheRecord() {
        TestDesktop writer = desktop("writer");
        TestDesktop lost = desktop("lost");
        directory(writer, "d");
        pass(A_MOMENT);
        lose(lost);

        writer.ok(Ask.rmdir(Namespace.ROOT, "d"));
        pass(A_MOMENT);

        assertThat(remembered()).isOne();
        restart();
        assertThat(remembered()).isOne();
        come(lost);
        assertThat(remembered()).isZero();
        assertAgrees(lost);
    }

    @Test
    void shouldRememberNothingForALostDesktopOfWhatWasMadeSinceItWent() {
        TestDesktop writer = desktop("writer");
        TestDesktop lost = desktop("lost");
        lose(lost);
        directory(writer, "d");
        restart();

        writer.ok(Ask.rmdir(Namespace.ROOT, "d"));
        pass(A_MOMENT);

        assertThat(remembered()).isZero();
        assertAgrees(writer);
        come(lost);
        assertAgrees(lost);
    }

    @Test
    void shouldWaitForWhoIsYetToRemoveItsReplica() {
        TestDesktop writer = desktop("writer");
        TestDesktop second = desktop("second");
        writer.ok(Ask.setXattr(Namespace.ROOT, "beefs.time_to_coherence", "1s"));
        long file = file(writer, "f");
        pass(SETTLING);
        assertThat(second.records()).containsKey(file);
        go(second);
        writer.ok(Ask.setXattr(file, "beefs.replicas", "1"));
        pass(A_MOMENT);

        writer.ok(Ask.unlink(Namespace.ROOT, "f"));
        pass(A_MOMENT);

        assertThat(remembered()).isOne();
        come(second);
        assertThat(remembered()).isZero();
        assertAgrees(second);
    }
}
