package org.beefs.queenbee.records;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.beefs.common.replica.ReplicationXattr;
import org.beefs.common.wire.DeclareLost;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Record;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.CatalogCheck;
import org.beefs.queenbee.testing.MemoryStateStore;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is told of what changes while all that are to have its record are away. */
class SubstitutionTest {
    private static final Duration A_MOMENT = Duration.ofSeconds(2);

    /** Until who went holds no leases any more. */
    private static final Duration SILENCE = Duration.ofSeconds(6);

    /** Until what has just been changed was told. */
    private static final Duration TOLD = Duration.ofMillis(700);

    private static final Duration SETTLING = Duration.ofSeconds(20);

    private final TestHive hive = new TestHive(new MemoryStateStore());
    private final List<TestDesktop> all = new ArrayList<>();
    private final List<TestDesktop> awake = new ArrayList<>();

    private TestDesktop desktop(String name) {
        TestDesktop desktop = new TestDesktop(hive, name);
        all.add(desktop);
        come(desktop);
        return desktop;
    }

    /** So that nobody gets the record of a file by getting a replica. */
    private void keepOneReplica() {
        all.getFirst().ok(Ask.setXattr(Namespace.ROOT, ReplicationXattr.REPLICAS, "1"));
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

    private void pass(Duration time) {
        hive.advance(awake, time);
    }

    private long named(String name) {
        return Objects.requireNonNull(hive.names(Namespace.ROOT).get(name));
    }

    private int substituted() {
        return hive.queenBee().state().records().substitution().size();
    }

    private static long directory(TestDesktop desktop, String name) {
        return desktop.ok(Ask.mkdir(Namespace.ROOT, name, 0755))
                .getNode()
                .getAttributes()
                .getInode();
    }

    private long file(TestDesktop desktop, String name) {
        return desktop.createWritten(name, inode -> Ask.written(inode, 10));
    }

    /** It has the only replica. */
    private long changedWhileItsHolderIsAway(TestDesktop holder, TestDesktop writer) {
        keepOneReplica();
        long file = file(holder, "f");
        pass(A_MOMENT);
        go(holder);
        writer.ok(Ask.chmod(file, 0600));
        pass(A_MOMENT);
        return file;
    }

    /** Whether some catalog knows all that there is, on whichever desktop. */
    private void assertKnown() {
        hive.advance(TOLD);
        for (Inode inode : hive.queenBee().state().namespace().snapshot()) {
            assertThat(all)
                    .as("inode %x, changed %x", inode.number(), inode.changed())
                    .anyMatch(desktop -> knows(desktop, inode));
        }
    }

    private static boolean knows(TestDesktop desktop, Inode inode) {
        Record record = desktop.records().get(inode.number());
        return record != null && !record.getRemoved() && record.getSequence() >= inode.changed();
    }

    private void assertCatalogsAgree() {
        Map<Integer, List<Record>> catalogs = new HashMap<>();
        all.forEach(desktop -> catalogs.put(
                hive.number(desktop.name()), List.copyOf(desktop.records().values())));
        assertThat(CatalogCheck.differences(hive.queenBee().state(), catalogs)).isEmpty();
        assertThat(hive.queenBee().state().records().tombstones()).isZero();
        assertThat(substituted()).isZero();
    }

    @Test
    void shouldTellSomebodyElseUntilAHolderIsBack() {
        TestDesktop writer = desktop("writer");
        TestDesktop holder = desktop("holder");
        long file = changedWhileItsHolderIsAway(holder, writer);
        assertKnown();
        assertThat(writer.records()).containsKey(file);

        come(holder);

        assertThat(writer.records()).doesNotContainKey(file);
        assertCatalogsAgree();
    }

    @Test
    void shouldRememberOverARestartWhoKeepsWhat() {
        TestDesktop writer = desktop("writer");
        TestDesktop holder = desktop("holder");
        long file = changedWhileItsHolderIsAway(holder, writer);

        hive.restart();
        writer.registered();
        pass(SILENCE);
        assertThat(writer.records()).containsKey(file);
        come(holder);

        assertThat(writer.records()).doesNotContainKey(file);
        assertCatalogsAgree();
    }

    @Test
    void shouldHaveASubstituteForgetThatComesBackAfterTheHolder() {
        TestDesktop writer = desktop("writer");
        TestDesktop holder = desktop("holder");
        long file = changedWhileItsHolderIsAway(holder, writer);
        go(writer);
        come(holder);
        assertThat(writer.records()).containsKey(file);
        assertThat(substituted()).isPositive();

        come(writer);

        assertThat(writer.records()).doesNotContainKey(file);
        assertCatalogsAgree();
    }

    @Test
    void shouldHaveASubstituteHearThatTheInodeIsGone() {
        TestDesktop writer = desktop("writer");
        TestDesktop holder = desktop("holder");
        long file = changedWhileItsHolderIsAway(holder, writer);
        writer.ok(Ask.unlink(Namespace.ROOT, "f"));
        pass(A_MOMENT);
        assertThat(writer.records().get(file)).matches(Record::getRemoved);
        assertThat(substituted()).isZero();

        come(holder);
        pass(SETTLING);

        assertCatalogsAgree();
    }

    @Test
    void shouldTellAnotherOneWhenTheSubstituteIsLost() {
        TestDesktop writer = desktop("writer");
        TestDesktop holder = desktop("holder");
        TestDesktop other = desktop("other");
        long file = changedWhileItsHolderIsAway(holder, writer);
        TestDesktop substitute = writer.records().containsKey(file) ? writer : other;
        TestDesktop next = substitute == writer ? other : writer;
        assertThat(next.records()).doesNotContainKey(file);

        go(substitute);
        next.ok(QueenRequest.newBuilder()
                .setDeclareLost(DeclareLost.newBuilder().setDesktop(substitute.name())));
        pass(A_MOMENT);

        assertThat(next.records()).containsKey(file);
    }

    @Test
    void shouldTellSomebodyElseWhatAHolderHadNotHeardWhenItWent() {
        TestDesktop writer = desktop("writer");
        TestDesktop holder = desktop("holder");
        file(holder, "f");
        pass(A_MOMENT);

        file(holder, "g");
        go(holder);

        assertThat(holder.records()).doesNotContainKey(named("g"));
        assertKnown();
        assertThat(writer.records()).containsKey(named("g"));
    }

    private void changeSomething(TestDesktop writer, String name, Random random) {
        List<String> known = List.copyOf(hive.names(Namespace.ROOT).keySet());
        String some = known.isEmpty() ? name : known.get(random.nextInt(known.size()));
        switch (known.isEmpty() ? 0 : random.nextInt(6)) {
            case 0, 1 -> directory(writer, name);
            case 2 -> file(writer, name);
            case 3 -> writer.ok(Ask.chmod(named(some), 0700 + random.nextInt(8)));
            case 4 -> writer.ok(Ask.rename(Namespace.ROOT, some, Namespace.ROOT, name));
            default -> remove(writer, some);
        }
    }

    private void remove(TestDesktop writer, String name) {
        boolean isFile = hive.inode(named(name)).isRegular();
        writer.ok(isFile ? Ask.unlink(Namespace.ROOT, name) : Ask.rmdir(Namespace.ROOT, name));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void shouldAlwaysHaveTheLatestRecordOfAllSomewhere(long seed) {
        Random random = new Random(seed);
        for (int i = 1; i <= 7; i++) {
            desktop("desk" + i);
        }
        keepOneReplica();
        for (int round = 0; round < 15; round++) {
            for (TestDesktop desktop : List.copyOf(all)) {
                if (awake.contains(desktop) && awake.size() > 1 && random.nextInt(3) > 0) {
                    awake.remove(desktop);
                    desktop.disconnect();
                } else if (!awake.contains(desktop) && random.nextInt(3) == 0) {
                    awake.add(desktop.registered());
                }
            }
            if (random.nextInt(5) == 0) {
                hive.restart();
                awake.forEach(TestDesktop::registered);
            }
            pass(SILENCE);
            TestDesktop writer = awake.get(random.nextInt(awake.size()));
            for (int i = 0; i < 20; i++) {
                changeSomething(writer, "n" + round + "." + i, random);
            }
            pass(A_MOMENT);
            assertKnown();
        }
        for (int i = 0; i < 3; i++) {
            all.forEach(TestDesktop::registered);
            hive.advance(SETTLING);
        }
        assertCatalogsAgree();
    }
}
