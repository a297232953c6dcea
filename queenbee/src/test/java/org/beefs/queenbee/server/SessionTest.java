package org.beefs.queenbee.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.DesktopReport;
import org.beefs.common.wire.FolderStart;
import org.beefs.common.wire.Goodbye;
import org.beefs.common.wire.HiveReport;
import org.beefs.common.wire.HiveStatus;
import org.beefs.common.wire.HoneycombOffer;
import org.beefs.common.wire.Inventory;
import org.beefs.common.wire.OpenFile;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Register;
import org.beefs.common.wire.Registered;
import org.beefs.common.wire.ReplicaName;
import org.beefs.common.wire.SetAttributes;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SessionTest {
    private static final long ROOT = Namespace.ROOT;

    private final TestHive hive = new TestHive();
    private final TestDesktop desktop = new TestDesktop(hive, "desk").registered();

    @Test
    void shouldGiveTheSameSessionToTheSameProcess() {
        long session = desktop.session();
        assertThat(desktop.register(desktop.register()).getSession()).isEqualTo(session);
        assertThat(desktop.register(desktop.register().setSession(0)).getSession())
                .isEqualTo(session);
        hive.restart();
        assertThat(desktop.register(desktop.register()).getSession()).isEqualTo(session);
    }

    @Test
    void shouldCountIncarnations() {
        Registered before = desktop.register(desktop.register());
        hive.restart();
        Registered after = desktop.register(desktop.register());
        assertThat(after.getIncarnation()).isEqualTo(before.getIncarnation() + 1);
        assertThat(after.getHive()).isEqualTo(before.getHive()).hasSize(16);
    }

    @Test
    void shouldNotTakeAcknowledgementsOfAnEndedSessionForThoseOfTheNext() {
        long ended = desktop.session();
        hive.advance(Duration.ofSeconds(35));
        desktop.register(desktop.register().setAcknowledged(100));

        assertThat(desktop.session()).isNotEqualTo(ended);
        assertThat(desktop.send(Ask.mkdir(ROOT, "d", 0755)).hasFailure()).isFalse();
    }

    @Test
    void shouldTellADesktopWhyItsSessionHasEnded() {
        hive.advance(Duration.ofSeconds(35));

        assertThat(desktop.register(desktop.register()).getFormerEnded()).contains("silent for longer than its lease");
        assertThat(desktop.register(desktop.register()).getFormerEnded())
                .as("it goes on")
                .isEmpty();
    }

    @Test
    void shouldNotBelieveALateRegistrationAboutOpenFiles() {
        long inode = desktop.ok(Ask.create(ROOT, "f", 0644, 7))
                .getNode()
                .getAttributes()
                .getInode();
        QueenRequest.Builder outdated = QueenRequest.newBuilder()
                .setRegister(desktop.register()
                        .setNumber(1)
                        .addOpenFiles(OpenFile.newBuilder()
                                .setInode(inode)
                                .setHandle(7)
                                .setWrite(true)));
        desktop.ok(outdated);
        desktop.ok(Ask.release(inode, 7));

        assertThat(desktop.fails(outdated)).isEqualTo(Errno.EAGAIN);
        assertThat(hive.queenBee().state().sessions().all())
                .allSatisfy(session -> assertThat(session.handles()).isEmpty());
        desktop.ok(QueenRequest.newBuilder().setRegister(desktop.register().setNumber(2)));
    }

    @Test
    void shouldEndTheSessionOfAnEarlierProcess() {
        desktop.disconnect();
        TestDesktop again = new TestDesktop(hive, "desk", 2, 2).registered();
        assertThat(again.session()).isNotEqualTo(desktop.session());
        assertThat(desktop.send(Ask.attributes(ROOT)).getUnknownSession()).isTrue();
        assertThat(hive.queenBee().state().sessions().size()).isOne();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "desk\t1", "desk\u001b[2J", "desk 1", "-desk", ".desk", "d\u00e9sk", "a/b"})
    void shouldRefuseANameThatNoDesktopCanHave(String name) {
        TestDesktop odd = new TestDesktop(hive, name, 2, 1);
        assertThat(odd.fails(QueenRequest.newBuilder().setRegister(odd.register())))
                .isEqualTo(Errno.EINVAL);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Desk-1.example.org", "desk_2", "7"})
    void shouldTakeNamesOfHosts(String name) {
        assertThat(new TestDesktop(hive, name, 2, 1).registered().session()).isPositive();
    }

    @Test
    void shouldRefuseASecondLivingDesktopOfTheSameName() {
        TestDesktop twin = new TestDesktop(hive, "desk", 2, 1);
        QueenRequest.Builder register = QueenRequest.newBuilder()
                .setRegister(twin.register()
                        .setHoneycomb(HoneycombOffer.newBuilder()
                                .setUuid(TestDesktop.uuid("another"))
                                .setBoot(1)));
        assertThat(twin.fails(register)).isEqualTo(Errno.EBUSY);
        hive.advance(Duration.ofSeconds(5));
        twin.ok(register);
    }

    /** As when a desktop's disk is copied to others. */
    @Test
    void shouldRefuseASecondLivingDesktopOfTheSameNameWhereNeitherHasAHoneycomb() {
        TestDesktop laptop = new TestDesktop(hive, "laptop", 11, 1);
        laptop.ok(QueenRequest.newBuilder().setRegister(laptop.register().clearHoneycomb()));
        TestDesktop twin = new TestDesktop(hive, "laptop", 12, 1);
        QueenRequest.Builder register =
                QueenRequest.newBuilder().setRegister(twin.register().clearHoneycomb());
        assertThat(twin.fails(register)).isEqualTo(Errno.EBUSY);

        laptop.disconnect();

        twin.ok(register);
    }

    /** Its folder has gone on from the same start, so only that the other one is there tells that it is a copy. */
    @Test
    void shouldRefuseADesktopThatWasClonedWhileItRan() {
        TestDesktop original = new TestDesktop(hive, "original", 11, 1);
        original.register(started(original, started(1, 11)));
        TestDesktop clone = new TestDesktop(hive, "original", 99, 2).onMachine("another");
        QueenRequest.Builder register =
                QueenRequest.newBuilder().setRegister(started(clone, started(1, 11), started(2, 99)));

        assertThat(clone.fails(register)).isEqualTo(Errno.EBUSY);
        original.ok(Ask.attributes(ROOT));

        original.disconnect();
        assertThat(clone.fails(register)).as("it may come back").isEqualTo(Errno.EBUSY);

        hive.advance(Duration.ofSeconds(5));
        clone.ok(register);
    }

    @Test
    void shouldLetNoCloneComeBeforeItsOriginalWhenTheQueenBeeHasStarted() {
        TestDesktop original = new TestDesktop(hive, "original", 11, 1);
        original.register(started(original, started(1, 11)));
        TestDesktop clone = new TestDesktop(hive, "original", 99, 2).onMachine("another");
        QueenRequest.Builder register =
                QueenRequest.newBuilder().setRegister(started(clone, started(1, 11), started(2, 99)));
        hive.restart();

        assertThat(clone.fails(register)).isEqualTo(Errno.EBUSY);

        original.register(started(original, started(1, 11)));
        assertThat(clone.fails(register)).isEqualTo(Errno.EBUSY);
    }

    @Test
    void shouldLetNoCloneWithAnotherNameComeBeforeItsOriginalWhenTheQueenBeeHasStarted() {
        TestDesktop clone = new TestDesktop(hive, "clone", 99, 2).onMachine("another");
        Register.Builder register = clone.register();
        register.getHoneycombBuilder().setUuid(TestDesktop.uuid("desk"));
        hive.restart();

        assertThat(clone.fails(QueenRequest.newBuilder().setRegister(register))).isEqualTo(Errno.EBUSY);

        desktop.register(desktop.register());
    }

    /** The cable was pulled, so that nobody was told that the former daemon's connection has ended. */
    @Test
    void shouldTakeInAtOnceADaemonThatHoldsTheLockOfItsFormerOne() {
        long former = desktop.session();

        TestDesktop again = new TestDesktop(hive, "desk", 2, 2).registered();

        assertThat(again.session()).isNotEqualTo(former);
        assertThat(desktop.send(Ask.attributes(ROOT)).getUnknownSession()).isTrue();
    }

    @Test
    void shouldKnowTheFormerDaemonsLockAfterARestart() {
        hive.restart();

        assertThat(new TestDesktop(hive, "desk", 2, 2).registered().session()).isPositive();
    }

    private static Register.Builder started(TestDesktop desktop, FolderStart... starts) {
        Register.Builder register = desktop.register();
        register.getHoneycombBuilder().addAllStarts(List.of(starts));
        return register;
    }

    private static FolderStart started(long boot, long number) {
        return FolderStart.newBuilder().setBoot(boot).setNumber(number).build();
    }

    @Test
    void shouldTakeInADaemonWhoseFormerProcessHasFallenSilent() {
        TestDesktop next = new TestDesktop(hive, "desk", 2, 2).onMachine("the same, started anew");
        QueenRequest.Builder register = QueenRequest.newBuilder().setRegister(next.register());
        assertThat(next.fails(register)).isEqualTo(Errno.EBUSY);

        hive.advance(Duration.ofSeconds(5));

        next.ok(register);
    }

    @Test
    void shouldRefuseCopiedAndRolledBackFolders() {
        desktop.disconnect();
        TestDesktop newer = new TestDesktop(hive, "desk", 2, 5).registered();
        newer.ok(QueenRequest.newBuilder().setGoodbye(Goodbye.getDefaultInstance()));

        TestDesktop rolledBack = new TestDesktop(hive, "desk", 3, 4);
        assertThat(rolledBack.fails(QueenRequest.newBuilder().setRegister(rolledBack.register())))
                .isEqualTo(Errno.ESTALE);
        TestDesktop copy = new TestDesktop(hive, "desk", 3, 5);
        assertThat(copy.fails(QueenRequest.newBuilder().setRegister(copy.register())))
                .isEqualTo(Errno.ESTALE);
        assertThat(new TestDesktop(hive, "desk", 3, 6).registered().session()).isPositive();
    }

    @Test
    void shouldRefuseAHoneycombThatAnotherDesktopServes() {
        TestDesktop thief = new TestDesktop(hive, "thief", 9, 2);
        QueenRequest.Builder register = QueenRequest.newBuilder()
                .setRegister(thief.register()
                        .setHoneycomb(HoneycombOffer.newBuilder()
                                .setUuid(TestDesktop.uuid("desk"))
                                .setBoot(2)));
        assertThat(thief.fails(register)).isEqualTo(Errno.EBUSY);
    }

    @Test
    void shouldEndASilentSessionAfterItsLease() {
        hive.advance(Duration.ofSeconds(29));
        assertThat(hive.queenBee().state().sessions().size()).isOne();
        hive.advance(Duration.ofSeconds(4));
        assertThat(hive.queenBee().state().sessions().size()).isZero();
        assertThat(desktop.send(Ask.attributes(ROOT)).getUnknownSession()).isTrue();
    }

    @Test
    void shouldNotBlameOthersForItsOwnSleep() {
        hive.time().jump(Duration.ofMinutes(10));
        hive.advance(Duration.ofSeconds(2));
        assertThat(desktop.ok(Ask.attributes(ROOT)).hasNode()).isTrue();
    }

    @Test
    void shouldLetNobodyTakeAPlaceThatIsSilentBecauseOfItsOwnSleep() {
        TestDesktop twin = new TestDesktop(hive, "desk", 2, 1);
        Register.Builder another = twin.register();
        another.getHoneycombBuilder().setUuid(TestDesktop.uuid("another"));
        hive.time().jump(Duration.ofMinutes(10));

        assertThat(twin.fails(QueenRequest.newBuilder().setRegister(another))).isEqualTo(Errno.EBUSY);

        desktop.ok(Ask.attributes(ROOT));
    }

    @Test
    void shouldIgnoreWhatComesOverAConnectionThatTheSessionHasLeft() {
        TestDesktop moved = new TestDesktop(hive, "desk").registered();
        assertThat(moved.session()).isEqualTo(desktop.session());
        assertThat(desktop.send(Ask.mkdir(ROOT, "d", 0755)).getUnknownSession()).isTrue();
        assertThat(moved.fails(Ask.lookup(ROOT, "d"))).isEqualTo(Errno.ENOENT);
    }

    @Test
    void shouldPlaceNewFilesOnTheirOwnDesktopElseWhereMostIsFree() {
        TestDesktop small = new TestDesktop(hive, "small");
        small.setAvailable(1 << 30);
        small.registered();
        TestDesktop full = new TestDesktop(hive, "full");
        full.setAvailable(0);
        full.registered();

        assertThat(placeOf(small, "a")).isEqualTo("small");
        assertThat(placeOf(full, "b")).isEqualTo("desk");
        desktop.disconnect();
        assertThat(placeOf(full, "c")).isEqualTo("small");
    }

    @Test
    void shouldPlaceAFileElsewhereAtOnceWhenTheOwnHoneycombHasJustBecomeFull() {
        TestDesktop other = new TestDesktop(hive, "other").registered();
        TestDesktop filling = new TestDesktop(hive, "filling").registered();
        other.setAvailable(1 << 30);

        String place = filling.ok(Ask.create(ROOT, "f", 0644, 1).setAvailable(0))
                .getNode()
                .getLayout()
                .getDesktop();

        assertThat(place).isNotEqualTo("filling");
    }

    @Test
    void shouldAnswerWhichReplicasToRemove() {
        long mine = desktop.ok(Ask.create(ROOT, "f", 0644, 1))
                .getNode()
                .getAttributes()
                .getInode();
        long removed = desktop.ok(Ask.mknod(ROOT, "g", 0100644))
                .getNode()
                .getAttributes()
                .getInode();
        desktop.ok(Ask.unlink(ROOT, "g"));
        TestDesktop other = new TestDesktop(hive, "other").registered();
        QueenRequest.Builder inventory = QueenRequest.newBuilder()
                .setInventory(Inventory.newBuilder()
                        .addReplicas(ReplicaName.newBuilder().setInode(mine))
                        .addReplicas(ReplicaName.newBuilder().setInode(removed))
                        .addReplicas(ReplicaName.newBuilder().setInode(mine + 1_000_000)));
        assertThat(desktop.ok(inventory).getDrop().getReplicasList())
                .extracting(ReplicaName::getInode)
                .containsExactly(removed);
        assertThat(other.ok(inventory).getDrop().getReplicasList())
                .extracting(ReplicaName::getInode)
                .containsExactly(removed);
    }

    @Test
    void shouldReportWhatRunsWhere() {
        desktop.register(desktop.register().addMounts("/hive"));
        desktop.ok(Ask.create(ROOT, "f", 0644, 1));
        HiveReport report = desktop.send(QueenRequest.newBuilder()
                        .setHiveStatus(HiveStatus.getDefaultInstance())
                        .build())
                .getHiveReport();
        assertThat(report.getInodes()).isEqualTo(2);
        assertThat(report.getDirtyFiles()).isOne();
        assertThat(report.getDesktops(0).getMountsList()).containsExactly("/hive");
        assertThat(report.getDesktops(0).getOpenFiles()).isOne();
        assertThat(report.getDesktops(0).getHoneycomb().getAddress()).isEqualTo("desk:1");
    }

    @Test
    void shouldKeepNoMoreTextOfADesktopThanPeopleRead() {
        Register.Builder register = desktop.register().setProgram("1".repeat(1 << 20));
        List<String> mounts =
                IntStream.range(0, 1000).mapToObj(i -> "/hive/" + i).toList();
        desktop.register(register.addMounts("/" + "m".repeat(1 << 20)).addAllMounts(mounts));
        assertThat(desktopReport().getMountsList()).isEqualTo(mounts.subList(0, 64));
        assertThat(desktopReport().getProgram()).hasSize(64);

        desktop.ok(QueenRequest.newBuilder().setHeartbeat(desktop.heartbeat().addAllMounts(mounts.subList(1, 1000))));

        assertThat(desktopReport().getMountsList()).isEqualTo(mounts.subList(1, 65));
    }

    private DesktopReport desktopReport() {
        return desktop.send(QueenRequest.newBuilder()
                        .setHiveStatus(HiveStatus.getDefaultInstance())
                        .build())
                .getHiveReport()
                .getDesktops(0);
    }

    @Test
    void shouldNeedAHandleToSetTimesOfAFile() {
        long inode = desktop.ok(Ask.mknod(ROOT, "f", 0100644))
                .getNode()
                .getAttributes()
                .getInode();
        assertThat(desktop.fails(
                        Ask.change(SetAttributes.newBuilder().setInode(inode).setMtimeNow(true))))
                .isEqualTo(Errno.EINVAL);
    }

    private static String placeOf(TestDesktop desktop, String name) {
        return desktop.ok(Ask.create(ROOT, name, 0644, desktop.newHandle()))
                .getNode()
                .getLayout()
                .getDesktop();
    }
}
