package org.beefs.queenbee.console.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.beefs.common.linux.Inodes;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.FileSystemStatus;
import org.beefs.common.wire.Goodbye;
import org.beefs.common.wire.LockMode;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Register;
import org.beefs.common.wire.UserActivity;
import org.beefs.queenbee.console.ConsoleHive;
import org.beefs.queenbee.console.model.client.Asked;
import org.beefs.queenbee.console.model.client.ClientView;
import org.beefs.queenbee.console.model.client.Holdings;
import org.beefs.queenbee.console.model.event.Event;
import org.beefs.queenbee.console.model.file.Above;
import org.beefs.queenbee.console.model.file.FilePage;
import org.beefs.queenbee.console.model.file.FileView;
import org.beefs.queenbee.console.model.replication.CopyView;
import org.beefs.queenbee.console.model.replication.WithoutDesktops;
import org.beefs.queenbee.console.model.snapshot.DesktopView;
import org.beefs.queenbee.console.model.snapshot.DesktopView.Replicas;
import org.beefs.queenbee.console.model.snapshot.HiveView;
import org.beefs.queenbee.console.model.snapshot.LackingFile;
import org.beefs.queenbee.console.model.snapshot.Replication;
import org.beefs.queenbee.console.model.snapshot.Snapshot;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.hive.UnsoundReplicas;
import org.beefs.queenbee.journal.DiskSpace;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.TestConfig;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the console knows is what is so in the hive. */
class ConsoleModelTest {
    @TempDir
    private Path folder;

    private final TestHive hive = new TestHive();
    private final TestDesktop one = new TestDesktop(hive, "desk1").registered();
    private final TestDesktop two = new TestDesktop(hive, "desk2").registered();
    private final TestDesktop ten = new TestDesktop(hive, "desk10").registered();
    private ConsoleHive console;
    private ConsoleModel model;

    @BeforeEach
    void open() {
        console = new ConsoleHive(hive, folder);
        model = console.model();
    }

    @Test
    void shouldShowDesktopsAsPeopleSortThem() {
        one.setSpace(1000, 400);
        console.hive().run();
        ten.disconnect();
        hive.run();

        Snapshot snapshot = model.snapshot();

        assertThat(snapshot.desktops()).extracting(DesktopView::name).containsExactly("desk1", "desk2", "desk10");
        assertThat(snapshot.desktops()).extracting(DesktopView::presence).containsExactly("awake", "awake", "asleep");
        assertThat(snapshot.hive().health())
                .isEqualTo("All files have the replicas that they should have; 1 desktop is asleep.");
        assertThat(snapshot.hive().healthy()).isTrue();
    }

    @Test
    void shouldTakeSnapshotsAgainWhenThreadsAreToBeHadAgain() {
        List<Snapshot> taken = new ArrayList<>();
        model.listen(new ConsoleModel.Listener() {
            @Override
            public void snapshotTaken() {
                taken.add(model.snapshot());
            }

            @Override
            public void happened(Event event) {}
        });
        model.start();
        console.setThreads(false);
        console.timers().advance(ConsoleModel.DISTANCE);
        assertThat(taken).hasSize(1);

        console.setThreads(true);
        console.timers().advance(ConsoleModel.DISTANCE);

        assertThat(taken).hasSize(2);
    }

    @Test
    void shouldCountReplicasAgainWhenThreadsAreToBeHadAgain() {
        model.counts().somebodyLooks();
        console.setThreads(false);
        model.counts().countIfSomebodyLooks();

        console.setThreads(true);
        hive.advance(Duration.ofMinutes(2));
        model.counts().somebodyLooks();
        model.counts().countIfSomebodyLooks();

        assertThat(model.counts().last()).isNotEqualTo(Replication.UNKNOWN);
    }

    @Test
    void shouldTellWhetherDesktopsAreUsed() {
        one.setUserActivity(UserActivity.ACTIVE);
        two.setUserActivity(UserActivity.IDLE);
        Stream.of(one, two, ten).forEach(ConsoleModelTest::beat);
        assertThat(activities()).containsExactly("active", "idle", "unknown");

        one.disconnect();
        hive.run();
        two.ok(QueenRequest.newBuilder().setHeartbeat(two.heartbeat().setUserActivityValue(9)));

        assertThat(activities())
                .as("neither while it is away, nor when it tells what nobody here understands")
                .containsOnly("unknown");
    }

    @Test
    void shouldTellWhoAsksWhat() {
        QueenRequest.Builder status =
                QueenRequest.newBuilder().setFileSystemStatus(FileSystemStatus.getDefaultInstance());
        one.as(1000, 1000).ok(status);
        one.ok(status);
        two.as(7, 7).ok(status);
        beat(two);

        assertThat(model.clients().activity().asked())
                .contains(
                        new Asked("desk1", "1000", Map.of("file_system_status", 2L)),
                        new Asked("desk2", "7", Map.of("file_system_status", 1L)));
    }

    @Test
    void shouldTellWhoHoldsWhichLocks() {
        long file = console.makeFile("report", 1);
        one.ok(Ask.set(Ask.lock(file, 1, LockMode.EXCLUSIVE, 0, 9)));
        one.ok(Ask.set(Ask.lock(file, 2, LockMode.SHARED, 20, 29)));

        ClientView client = model.clients().of("desk1");

        assertThat(client.locks()).isEqualTo(2);
        assertThat(client.heldLocks())
                .containsExactlyInAnyOrder(
                        new ClientView.HeldLock("/report", file, "record", true, 1001),
                        new ClientView.HeldLock("/report", file, "record", false, 1002));
        assertThat(model.clients().holdings())
                .containsEntry("desk1", new Holdings(client.leases(), 2))
                .hasEntrySatisfying("desk2", held -> assertThat(held.locks()).isZero());
    }

    @Test
    void shouldTellWhatIsBeingCopied() {
        console.makeFile("report", 1);
        assertThat(model.copying()).isEmpty();
        two.holdAnswers();

        hive.advance(List.of(one, two, ten), Duration.ofMinutes(2));

        assertThat(model.copying())
                .extracting(CopyView::desktop, CopyView::files, CopyView::bytes, CopyView::examples)
                .containsExactly(tuple("desk2", 1L, 100L, List.of("/report")));
        two.answerHeld();
        hive.run();
        assertThat(model.copying()).isEmpty();
    }

    @Test
    void shouldCountEachDesktopsReplicas() {
        console.makeFile("a", 1, 2, 3);
        long b = console.makeFile("b", 1, 2);
        console.addSecondary(b, 3, 0);

        model.counts().count();

        assertThat(model.replication().byDesktop())
                .containsEntry("desk1", new Replicas(2, 0, 0, 0, 200))
                .containsEntry("desk2", new Replicas(0, 2, 0, 0, 200))
                .containsEntry("desk10", new Replicas(0, 1, 0, 1, 100));
        assertThat(model.replication().lacking()).extracting(LackingFile::path).containsExactly("/b");
        assertThat(model.replication().lacking().getFirst().current()).isEqualTo(2);
        assertThat(model.refresh().desktop("desk10").orElseThrow().replicas()).isNotNull();
    }

    /** As truncate(1) makes them. */
    @Test
    void shouldAddUpSizesThatAreMoreThanANumberHolds() {
        console.makeFileOfSize(5L << 60, "a", 1);
        console.makeFileOfSize(5L << 60, "b", 1);

        model.counts().count();

        assertThat(model.replication().byDesktop()).containsEntry("desk1", new Replicas(2, 0, 0, 0, Long.MAX_VALUE));
        assertThat(model.without(Set.of("desk1")).bytes()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldNotCountWhatLostDesktopsHave() {
        console.makeFile("a", 1, 3);
        List.of(one, ten).forEach(TestDesktop::disconnect);
        List.of("desk1", "desk10").forEach(desktop -> model.administration().declareLost(desktop, "me"));
        hive.advance(List.of(two), Duration.ofMinutes(2));

        model.counts().count();

        assertThat(model.replication().lacking())
                .extracting(LackingFile::path, LackingFile::current, LackingFile::wanted)
                .containsExactly(tuple("/a", 0, 1L));
    }

    @Test
    void shouldTellWhatNeedsAttentionAndWhatHelps() {
        passGraceTimeWithout(ten);

        HiveView.Attention attention = model.refresh().hive().attention().getFirst();

        assertThat(attention.what()).startsWith("desk10 has been away for 25h");
        assertThat(attention.desktop()).isEqualTo("desk10");
        assertThat(attention.action()).isEqualTo("lost");
        model.administration().declareLost("desk10", "me");
        assertThat(model.snapshot().desktop("desk10").orElseThrow().presence()).isEqualTo("lost");
        assertThat(model.refresh().hive().attention()).isEmpty();
    }

    /** Else an alarm would ring each evening, and be muted. */
    @Test
    void shouldNeedNoAttentionForADesktopThatIsOnlyAsleep() {
        long file = console.makeFile("a", 1, 2);
        console.addSecondary(file, 3, 0);
        model.counts().count();
        ten.disconnect();
        hive.run();

        assertThat(model.refresh().hive().attention()).isEmpty();
    }

    /** More desktops, or more room, would be no help. */
    @Test
    void shouldTellWhichLostDesktopsAloneHaveFiles() {
        console.makeFile("a", 3);
        ten.disconnect();
        model.administration().declareLost("desk10", "me");
        hive.advance(List.of(one, two), Duration.ofMinutes(2));

        HiveView view = model.refresh().hive();

        assertThat(view.copies().underReplicated()).isEqualTo(1);
        assertThat(view.attention())
                .extracting(HiveView.Attention::what)
                .containsExactly("1 file has no replica but on lost desktops: desk10.");
    }

    private void passGraceTimeWithout(TestDesktop away) {
        away.disconnect();
        hive.advance(TestConfig.LONGER_THAN_THE_GRACE_TIME);
        Stream.of(one, two, ten).filter(desktop -> desktop != away).forEach(TestDesktop::registered);
        hive.run();
    }

    @Test
    void shouldSayThatADrainedDesktopCanBeSwitchedOffUntilItIs() {
        model.administration().drain("desk10", false, "me");
        hive.advance(Duration.ofSeconds(5));
        assertThat(model.refresh().hive().attention())
                .extracting(HiveView.Attention::what)
                .containsExactly("desk10 is drained and can be switched off.");

        ten.disconnect();
        hive.run();
        assertThat(model.refresh().hive().attention()).isEmpty();

        hive.restart();
        model.refresh();
        one.registered();
        hive.advance(Duration.ofSeconds(5));
        model.refresh();
        assertThat(texts()).containsOnlyOnce("desk10 is drained and can be switched off");
    }

    @Test
    void shouldSayWhatToDoAboutADesktopThatIsAwayBeforeItIsDrained() {
        console.makeFile("a", 3);
        model.administration().drain("desk10", false, "me");
        ten.disconnect();
        hive.advance(List.of(one, two), Duration.ofMinutes(2));

        assertThat(model.refresh().hive().attention())
                .extracting(HiveView.Attention::what, HiveView.Attention::advice)
                .containsExactly(tuple(
                        "desk10 is draining and is away.",
                        "Switch it on; if it does not come back, give it up (beefs lost); or stop that:"));

        model.administration().declareLost("desk10", "me");
        assertThat(model.refresh().hive().attention())
                .extracting(HiveView.Attention::what)
                .doesNotContain("desk10 is draining and is away.");
    }

    @Test
    void shouldTellWhenADesktopWithoutHoneycombLeaves() {
        TestDesktop laptop = new TestDesktop(hive, "laptop");
        laptop.register(laptop.register().clearHoneycomb());
        model.refresh();
        laptop.ok(QueenRequest.newBuilder().setGoodbye(Goodbye.getDefaultInstance()));

        model.refresh();

        assertThat(model.snapshot().desktop("laptop")).isEmpty();
        assertThat(model.events().newest("desktop", "laptop", 10))
                .extracting(Event::text)
                .containsExactly("laptop has left");
    }

    /** The new folder of a desktop whose disk was replaced must not hide that files wait for the one before. */
    @Test
    void shouldTellOfTheFolderThatADesktopHadBefore() {
        ten.disconnect();
        hive.advance(Duration.ofSeconds(5)); // for so long the daemon of its former folder may come back
        TestDesktop again = new TestDesktop(hive, "desk10", 2, 1);
        Register.Builder register = again.register();
        register.getHoneycombBuilder().setUuid(TestDesktop.uuid("empty"));
        again.register(register);
        hive.run();

        HiveView.Attention attention = model.refresh().hive().attention().getFirst();

        assertThat(attention.what()).isEqualTo("desk10 has another folder now, and 1 earlier one is away.");
        assertThat(attention.action()).isEqualTo("lost");
        model.administration().declareLost("desk10", "me");
        assertThat(model.refresh().hive().attention()).isEmpty();
    }

    /** As on small disks, of which nothing is left beside what their owners keep. */
    @Test
    void shouldTellThatThereIsNoRoomAlsoBeforeAnythingIsStored() {
        for (TestDesktop desktop : List.of(one, two, ten)) {
            desktop.setSpace(1 << 30, 0);
            desktop.setAvailable(0);
            beat(desktop);
        }

        assertThat(model.refresh().hive().attention())
                .extracting(HiveView.Attention::what)
                .containsExactly("Less than 10 % of the space is free.");
    }

    @Test
    void shouldTellInTimeThatTheQueenBeesOwnDiskWillBeFull() {
        console.setOwnDisk(new DiskSpace(100L << 30, 812L << 20, Inodes.UNLIMITED));

        HiveView view = model.refresh().hive();

        assertThat(view.healthy()).isFalse();
        assertThat(view.attention())
                .extracting(HiveView.Attention::what)
                .containsExactly(
                        "Only 812.0 MiB are free on the queen-bee's own disk: the hive stops when it is full.");
        console.setOwnDisk(new DiskSpace(100L << 30, 2L << 30, Inodes.UNLIMITED));
        assertThat(model.refresh().hive().attention()).isEmpty();
    }

    @Test
    void shouldTellWhatCouldNotBeReadWithoutSomeDesktops() {
        console.makeFile("everywhere", 1, 2, 3);
        console.makeFile("on two", 1, 2);
        long old = console.makeFile("old copy", 1);
        console.addSecondary(old, 3, 0);
        console.makeFile("on ten", 3);

        WithoutDesktops first = model.without(Set.of("desk1"));
        WithoutDesktops both = model.without(Set.of("desk1", "desk2"));
        ten.disconnect();
        hive.run();
        WithoutDesktops away = model.without(Set.of("desk2"));

        assertThat(first.examples()).extracting(WithoutDesktops.Example::path).containsExactly("/old copy");
        assertThat(first.files()).isEqualTo(4);
        assertThat(both.unreachable()).isEqualTo(2);
        assertThat(both.bytes()).isEqualTo(200);
        assertThat(away.unreachable()).isZero();
        assertThat(away.alreadyUnreachable()).isEqualTo(1);
        assertThatThrownBy(() -> model.without(Set.of("none"))).isInstanceOf(PosixException.class);
    }

    @Test
    void shouldShowAFileWithItsReplicas() {
        long file = console.makeFile("a", 1, 2);
        console.addSecondary(file, 3, 0);

        FileView view = model.files().at("/a");

        assertThat(view).isEqualTo(model.files().of(file));
        assertThat(view.mode()).isEqualTo("-rw-r--r--");
        FileView.Content content = Objects.requireNonNull(view.content());
        assertThat(content.replicas())
                .extracting(replica -> replica.desktop() + " " + replica.kind() + " " + replica.state())
                .containsExactly("desk1 primary current", "desk2 secondary current", "desk10 secondary empty");
        assertThatThrownBy(() -> model.files().at("/a/b")).isInstanceOf(PosixException.class);
        assertThat(model.files().at("//").path()).isEqualTo("/");
        assertThat(model.files().above(file)).containsExactly(new Above(Namespace.ROOT, ""));
        assertThat(model.files().above(Namespace.ROOT)).isEmpty();
    }

    /** As ls(1) does. */
    @Test
    void shouldShowOwnersWithHighNumbers() {
        console.setOwner(console.makeFile("a", 1), (int) 4294967294L, (int) 2147483648L);

        FileView view = model.files().at("/a");

        assertThat(List.of(view.uid(), view.gid())).hasToString("[4294967294, 2147483648]");
    }

    @Test
    void shouldListEachEntryOnceWhateverComesAndGoes() {
        for (int i = 0; i < 25; i++) {
            console.makeFile("f" + i, 1);
        }
        List<String> seen = new ArrayList<>();
        Long after = 0L;
        while (after != null) {
            FilePage page = model.files().list(Namespace.ROOT, after, 10);
            page.files().forEach(file -> seen.add(file.name()));
            after = page.next();
        }

        assertThat(seen).hasSize(25).doesNotHaveDuplicates();
    }

    @Test
    void shouldFindFilesByName() {
        console.makeDirectory("Reports");
        console.makeFile("report.odt", 1);
        console.makeFile("other", 1);

        assertThat(model.files().find("report", "/", 0).files())
                .extracting(FileView::path)
                .containsExactlyInAnyOrder("/Reports", "/report.odt");
        assertThat(model.files().find("*.ODT", "/", 0).files())
                .extracting(FileView::path)
                .containsExactly("/report.odt");
        assertThat(model.files().find("report", "/Reports", 0).files()).isEmpty();
        assertThatThrownBy(() -> model.files().find("", "/", 0)).isInstanceOf(PosixException.class);
    }

    @Test
    void shouldShowWhatWasFoundBeforeASearchTakesLong() {
        for (int i = 0; i < 3000; i++) {
            console.makeFile("file" + i, 1);
        }
        console.setQuestionsTake(Duration.ofMillis(60));

        List<String> found = new ArrayList<>();
        int pages = 0;
        Long after = 0L;
        while (after != null) {
            FilePage page = model.files().find("file*7", "/", after.intValue());
            page.files().forEach(file -> found.add(file.name()));
            after = page.next();
            pages++;
        }

        assertThat(pages).isGreaterThan(3);
        assertThat(found).hasSize(300).doesNotHaveDuplicates();
    }

    @Test
    void shouldTellWhatHappensToDesktopsOnce() {
        model.refresh();
        two.disconnect();
        hive.run();
        model.refresh();
        model.refresh();
        two.registered();
        model.refresh();
        new TestDesktop(hive, "new").registered();
        model.refresh();

        assertThat(texts()).containsExactly("desk2 is asleep", "desk2 is awake", "new has joined, awake");
    }

    @Test
    void shouldTellMissingReplicasFromRottenOnes() {
        long file = console.makeFile("a", 1);
        model.refresh();

        Honeycomb holder = hive.queenBee().state().honeycombs().numbered(1);
        holder.unsound().setMissing(file, UnsoundReplicas.ALONE);
        Snapshot snapshot = model.refresh();

        assertThat(snapshot.desktop("desk1").orElseThrow().missing()).isEqualTo(1);
        assertThat(snapshot.desktop("desk1").orElseThrow().unhealed()).isZero();
        assertThat(snapshot.hive().attention())
                .extracting(HiveView.Attention::what)
                .containsExactly("1 missing replica on desk1 cannot be replaced.");
        assertThat(texts()).containsExactly("1 missing replica on desk1 cannot be replaced now");
    }

    @Test
    void shouldRememberEventsOverARestart() throws IOException {
        model.events().add("action", null, "something", "me");
        Files.writeString(folder.resolve("events.log"), "{\"id\":", StandardOpenOption.APPEND);

        ConsoleModel next = new ConsoleHive(hive, folder).model();

        Event event = next.events().newest(null, null, 10).getLast();
        assertThat(event.text()).isEqualTo("something");
        assertThat(event.who()).isEqualTo("me");
        next.events().add("hive", null, "later", null);
        assertThat(next.events().list(event.id(), Long.MAX_VALUE, null, null, 10))
                .hasSize(1);
    }

    private static void beat(TestDesktop desktop) {
        desktop.ok(QueenRequest.newBuilder().setHeartbeat(desktop.heartbeat()));
    }

    private List<String> activities() {
        return model.refresh().desktops().stream()
                .map(DesktopView::userActivity)
                .toList();
    }

    private List<String> texts() {
        return model.events().newest("desktop", null, 100).stream()
                .map(Event::text)
                .toList();
    }
}
