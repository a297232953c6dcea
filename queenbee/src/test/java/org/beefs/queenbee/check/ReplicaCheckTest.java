package org.beefs.queenbee.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.beefs.common.wire.CheckedReplicas;
import org.beefs.common.wire.ContentVerdict;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.common.wire.Failure;
import org.beefs.common.wire.Finding;
import org.beefs.common.wire.Heartbeat;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Remedy;
import org.beefs.common.wire.ReplicaLook;
import org.beefs.common.wire.ReplicaName;
import org.beefs.common.wire.ReplicaNumber;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.Timestamp;
import org.beefs.queenbee.QueenBeeConfig;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.CheckedHive;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a check says of replicas as honeycombs show them, and has repaired. */
class ReplicaCheckTest {
    private static final QueenBeeConfig CONFIG = QueenBeeConfig.of(QueenBeeConfig.DEFAULT_LISTEN, Path.of("unused"));
    private static final Timestamp MTIME = Timestamp.newBuilder().setSeconds(5).build();

    private final TestHive hive = new TestHive();
    private final TestDesktop first = new TestDesktop(hive, "first").registered();
    private final TestDesktop second = new TestDesktop(hive, "second").registered();
    private final CheckedHive check = new CheckedHive(first);
    private long file;

    @BeforeEach
    void makeFileWithTwoReplicas() {
        file = make("f");
        assertThat(inode().secondaries().current()).hasSize(1);
    }

    private long make(String name) {
        long made = first.ok(Ask.create(Namespace.ROOT, name, 0644, 1))
                .getNode()
                .getAttributes()
                .getInode();
        ReplicaStatus status = first.replica(
                made, ReplicaStatus.newBuilder().setSize(100).setMtime(MTIME).setObservation(1));
        first.ok(Ask.release(made, 1, status));
        pass(CONFIG.timeToCoherence().plus(CONFIG.heartbeat().multipliedBy(3)));
        return made;
    }

    private void pass(Duration time) {
        for (Duration passed = Duration.ZERO; passed.compareTo(time) < 0; passed = passed.plus(CONFIG.heartbeat())) {
            hive.advance(CONFIG.heartbeat());
            Stream.of(first, second)
                    .forEach(desktop -> desktop.ok(QueenRequest.newBuilder()
                            .setHeartbeat(Heartbeat.newBuilder().setSpace(desktop.space()))));
        }
    }

    private Inode inode() {
        return Objects.requireNonNull(hive.queenBee().state().namespace().find(file));
    }

    private ReplicaLook.Builder look(boolean secondary) {
        return ReplicaLook.newBuilder()
                .setReplica(ReplicaNumber.newBuilder().setInode(file))
                .setEpoch(inode().epoch())
                .setSecondary(secondary)
                .setStatus(ReplicaStatus.newBuilder()
                        .setExists(true)
                        .setSize(100)
                        .setMtime(MTIME)
                        .setVersion(inode().version()));
    }

    private ReplicaLook.Builder absent() {
        return ReplicaLook.newBuilder().setReplica(ReplicaNumber.newBuilder().setInode(file));
    }

    private Finding finding(String honeycomb, ReplicaLook.Builder look, boolean repair) {
        List<Finding> findings = check.replica(honeycomb, look.build(), repair);
        assertThat(findings).hasSize(1);
        return findings.getFirst();
    }

    /** Something that is told and not touched, whether repairs are wanted or not. */
    private void assertLeft(String honeycomb, ReplicaLook.Builder look, String kind) {
        long changed = inode().changed();
        assertThat(finding(honeycomb, look, false)).isEqualTo(finding(honeycomb, look, true));
        Finding found = finding(honeycomb, look, true);
        assertThat(found.getKind()).isEqualTo(kind);
        assertThat(found.getRemedy()).isEqualTo(Remedy.REMEDY_NONE);
        assertThat(found.getPath().toStringUtf8()).isEqualTo("/f");
        assertThat(found.getDesktop()).isEqualTo(honeycomb);
        assertThat(inode().changed()).isEqualTo(changed);
    }

    private void assertRepaired(String honeycomb, ReplicaLook.Builder look, String kind) {
        Finding found = finding(honeycomb, look, false);
        assertThat(found.getKind()).isEqualTo(kind);
        assertThat(found.getRemedy()).isEqualTo(Remedy.REMEDY_POSSIBLE);
        assertThat(finding(honeycomb, look, true).getRemedy()).isEqualTo(Remedy.REMEDY_DONE);
    }

    /** The secondary was given up, and one was copied again. */
    private void assertSecondaryMadeAnew() {
        pass(CONFIG.heartbeat().multipliedBy(3));
        assertThat(fetches()).isEqualTo(2);
        assertThat(inode().secondaries().current()).hasSize(1);
    }

    private long fetches() {
        return second.received().stream().filter(DesktopRequest::hasFetch).count();
    }

    private boolean wasToldToDrop(TestDesktop desktop, long inode) {
        return desktop.received().stream()
                .flatMap(request -> request.getDrop().getReplicasList().stream())
                .map(ReplicaName::getInode)
                .anyMatch(number -> number == inode);
    }

    @Test
    void shouldFindNothingWrongWithReplicasAsTheyShouldBe() {
        assertThat(check.replica("first", look(false).build(), true)).isEmpty();
        assertThat(check.replica("second", look(true).build(), true)).isEmpty();
    }

    @Test
    void shouldOnlyBelieveALookThatWasTakenWhileTheFileStayedAsItWas() {
        CheckedReplicas judged = check.judge("second", absent().build(), true);
        assertThat(judged.getFindingsList()).isEmpty();
        assertThat(judged.getAgainList()).hasSize(1);
        long stamp = judged.getAgain(0).getStamp();
        first.ok(Ask.chmod(file, 0600));

        CheckedReplicas again = check.judge("second", absent().setStamp(stamp).build(), true);

        assertThat(again.getFindingsList()).isEmpty();
        assertThat(again.getAgainList()).hasSize(1);
        assertThat(inode().secondaries().size()).isEqualTo(1);
    }

    @Test
    void shouldHaveAMissingSecondaryMadeAnew() {
        assertRepaired("second", absent(), "missing-replica");
        assertSecondaryMadeAnew();
    }

    @Test
    void shouldHaveAnUnreadableSecondaryMadeAnew() {
        assertRepaired(
                "second",
                absent().setFailure(Failure.newBuilder().setErrno(5).setReason("broken")),
                "unreadable-replica");
        assertThat(wasToldToDrop(second, file)).isTrue();
        assertSecondaryMadeAnew();
    }

    @Test
    void shouldHaveAnOutdatedSecondaryMadeAnew() {
        ReplicaLook.Builder look = look(true);
        look.getStatusBuilder().setVersion(inode().version() - 1);
        assertRepaired("second", look, "outdated-replica");
        assertSecondaryMadeAnew();
    }

    @Test
    void shouldHaveACutSecondaryMadeAnew() {
        ReplicaLook.Builder look = look(true);
        look.getStatusBuilder().setSize(99);
        assertRepaired("second", look, "altered-replica");
        assertThat(wasToldToDrop(second, file)).isTrue();
        assertSecondaryMadeAnew();
    }

    @Test
    void shouldHaveASecondaryMadeAnewThatDiffersFromMostOthers() {
        assertRepaired("second", look(true).setContent(ContentVerdict.CONTENT_ODD), "different-content");
        assertSecondaryMadeAnew();
    }

    @Test
    void shouldLeaveReplicasOfWhichNobodyKnowsWhichIsRight() {
        assertLeft("second", look(true).setContent(ContentVerdict.CONTENT_UNDECIDED), "different-content");
        assertLeft("first", look(false).setContent(ContentVerdict.CONTENT_ODD), "different-content");
    }

    @Test
    void shouldLeaveABrokenPrimaryAndTellWhereItsContentIs() {
        assertLeft("first", absent(), "missing-replica");
        assertLeft(
                "first",
                absent().setFailure(Failure.newBuilder().setErrno(5).setReason("broken")),
                "unreadable-replica");
        ReplicaLook.Builder cut = look(false);
        cut.getStatusBuilder().setSize(0);
        assertLeft("first", cut, "altered-replica");
        assertThat(finding("first", cut, true).getSentence()).endsWith("its content is still at second");
    }

    @Test
    void shouldLeaveAReplicaOfAnotherEpoch() {
        assertLeft("first", look(false).setEpoch(inode().epoch() + 1), "wrong-replica");
    }

    @Test
    void shouldExpectNoPrimaryWhereOneIsOnlyComing() {
        second.setAnswering(false);
        second.submit(Ask.open(file, 9, false, true));
        assertThat(inode().moving()).isTrue();

        assertThat(check.replica(
                        "second", look(true).setEpoch(inode().epoch() - 1).build(), true))
                .isEmpty();
    }

    @Test
    void shouldKeepASecondaryThatCannotBeReadWhileNoOtherReplicaCanBeReached() {
        ReplicaLook.Builder broken =
                absent().setFailure(Failure.newBuilder().setErrno(5).setReason("broken"));
        CheckedHive withSecond = new CheckedHive(second);
        first.disconnect();

        Finding found = withSecond.replica("second", broken.build(), true).getFirst();

        assertThat(found.getRemedy()).isEqualTo(Remedy.REMEDY_NONE);
        assertThat(found.getSentence()).endsWith("no other current one can be reached");
        assertThat(inode().secondaries().current()).hasSize(1);
    }

    @Test
    void shouldLearnWhatWasWrittenUnnoticed() {
        long version = inode().version();
        ReplicaLook.Builder look = look(false);
        look.getStatusBuilder().setSize(200).setVersion(0);
        first.replica(
                file, ReplicaStatus.newBuilder().setSize(200).setMtime(MTIME).setObservation(9));

        assertRepaired("first", look, "unnoticed-change");

        assertThat(inode().size()).isEqualTo(200);
        assertThat(inode().version()).isGreaterThan(version);
        assertThat(inode().dirty()).isFalse();
    }

    @Test
    void shouldRemoveWhatIsLeftOfARemovedFile() {
        long removed = make("removed");
        first.ok(Ask.unlink(Namespace.ROOT, "removed"));
        hive.run();
        ReplicaLook.Builder look =
                look(false).setReplica(ReplicaNumber.newBuilder().setInode(removed));
        first.received().clear();

        assertRepaired("first", look, "leftover-replica");

        hive.run();
        assertThat(wasToldToDrop(first, removed)).isTrue();
    }

    @Test
    void shouldTakeInACurrentSecondaryThatTheFileDoesNotKnow() {
        TestDesktop third = new TestDesktop(hive, "third").registered();
        assertRepaired("third", look(true), "superfluous-replica");
        assertThat(inode().secondaries().current()).hasSize(2);
        assertThat(wasToldToDrop(third, file)).isFalse();
    }

    @Test
    void shouldRemoveAnOldSecondaryThatTheFileDoesNotKnow() {
        TestDesktop third = new TestDesktop(hive, "third").registered();
        ReplicaLook.Builder look = look(true);
        look.getStatusBuilder().setVersion(inode().version() - 1);

        assertRepaired("third", look, "superfluous-replica");

        hive.run();
        assertThat(wasToldToDrop(third, file)).isTrue();
    }

    @Test
    void shouldKeepReplicasOfFilesThatTheHiveDoesNotKnow() {
        ReplicaLook.Builder look =
                look(false).setReplica(ReplicaNumber.newBuilder().setInode(1L << 45));
        Finding found = finding("first", look, true);
        assertThat(found.getKind()).isEqualTo("unknown-replica");
        assertThat(found.getRemedy()).isEqualTo(Remedy.REMEDY_NONE);
    }

    @Test
    void shouldTellOfACatalogThatDiffersFromItsFolder() {
        assertThat(finding("first", look(false).setCatalogDiffers(true), false).getRemedy())
                .isEqualTo(Remedy.REMEDY_POSSIBLE);
        assertThat(finding("first", look(false).setCatalogDiffers(true).setCatalogRepaired(true), true)
                        .getRemedy())
                .isEqualTo(Remedy.REMEDY_DONE);
    }

    @Test
    void shouldExpectNothingOfAFileThatIsBeingWrittenButItsPrimary() {
        first.ok(Ask.open(file, 9, true, true));
        ReplicaLook.Builder look = look(false);
        look.getStatusBuilder().setSize(7).setVersion(0);
        assertThat(check.replica("first", look.build(), true)).isEmpty();
        assertThat(finding("first", absent(), true).getKind()).isEqualTo("missing-replica");
    }
}
