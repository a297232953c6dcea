package org.beefs.queenbee.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.FileMode;
import org.beefs.common.replica.ReplicaDigest;
import org.beefs.common.wire.Inventory;
import org.beefs.common.wire.InventoryRange;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Register;
import org.beefs.common.wire.ReplicaName;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.Timestamp;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.hive.ReplicaWords;
import org.beefs.queenbee.hive.inventory.InventorySummary;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which of its replicas a honeycomb has to list, after it has told digests of all. */
class InventoryDigestsTest {
    private final TestHive hive = new TestHive();
    private final TestDesktop desktop = new TestDesktop(hive, "desk").registered();
    private final TestDesktop other = new TestDesktop(hive, "other").registered();
    private long first;
    private long second;

    @BeforeEach
    void makeFilesWithSecondaries() {
        first = makeFile("first", 1);
        second = makeFile("second", 2);
        for (int i = 0; i < 4; i++) {
            hive.advance(Duration.ofSeconds(20));
            desktop.registered();
            other.registered();
        }
        assertThat(inode(first).unsealed()).isFalse();
        assertThat(inode(second).secondaries().countCurrent()).isEqualTo(1);
    }

    @Test
    void shouldAskForNothingThatIsAsItShouldBe() {
        assertThat(differing(desktop, List.of(primary(first)), List.of(primary(second))))
                .isEmpty();
        assertThat(differing(other, List.of(secondary(second), secondary(first))))
                .isEmpty();
    }

    @Test
    void shouldAskForRangesOnlyThatDiffer() {
        assertThat(differing(
                        desktop,
                        List.of(primary(first)),
                        List.of(primary(second).toBuilder().clearVersion().build())))
                .containsExactly(1);
    }

    @Test
    void shouldAskForEverythingThatIsUnexpected() {
        ReplicaName expected = primary(first);
        Stream<ReplicaName> unexpected = Stream.of(
                expected.toBuilder().clearVersion().build(),
                expected.toBuilder().setVersion(expected.getVersion() + 1).build(),
                expected.toBuilder().setEpoch(expected.getEpoch() - 1).build(),
                expected.toBuilder().setGeneration(1).build(),
                expected.toBuilder().setSecondary(true).build(),
                expected.toBuilder().setInode(first - 1).build());
        assertThat(unexpected)
                .allSatisfy(replica -> assertThat(differing(desktop, List.of(replica), List.of(primary(second))))
                        .contains(0));
    }

    @Test
    void shouldAskForARangeInWhichOneIsMissingOrTooMuch() {
        assertThat(differing(desktop, List.of(primary(second)))).containsExactly(0);
        desktop.ok(Ask.unlink(Namespace.ROOT, "first"));
        ReplicaName gone = ReplicaName.newBuilder().setInode(first).build();
        assertThat(differing(desktop, List.of(gone, primary(second)))).containsExactly(0);
        assertThat(differing(desktop, List.of(primary(second)))).isEmpty();
    }

    @Test
    void shouldExpectNoVersionOfAFileThatIsWritten() {
        desktop.ok(Ask.open(first, 3, true, true));
        assertThat(inode(first).dirty()).isTrue();
        assertThat(differing(
                        desktop,
                        List.of(primary(first).toBuilder().clearVersion().build()),
                        List.of(primary(second))))
                .isEmpty();
    }

    @Test
    void shouldCountWhatWasNotListed() {
        assertThat(differing(desktop, List.of(primary(first), primary(second)))).isEmpty();
        desktop.ok(inventory(Inventory.newBuilder()));
        Honeycomb honeycomb = hive.queenBee().state().honeycombs().all().getFirst();
        InventorySummary.Result result =
                Objects.requireNonNull(honeycomb.inventory().summary().last());
        assertThat(result.replicas()).isEqualTo(2);
    }

    @Test
    void shouldGoThroughALargeNamespaceInManyPasses() {
        makeManyInodes();
        CompletableFuture<QueenReply> mine = hive.submit(
                desktop.numbered(inventory(told(List.of(List.of(primary(first), primary(second)))))), desktop);
        CompletableFuture<QueenReply> others =
                hive.submit(other.numbered(inventory(told(List.of(List.of(secondary(first)))))), other);
        int passes = 0;
        while (!mine.isDone() || !others.isDone()) {
            assertThat(hive.queenBee().hasWork()).isTrue();
            hive.queenBee().runPass();
            passes++;
        }
        assertThat(passes).isGreaterThan(3);
        assertThat(mine.join().getInventoryDifferences().getRangesList()).isEmpty();
        assertThat(others.join().getInventoryDifferences().getRangesList()).isEmpty();
    }

    @Test
    void shouldCompareAnewWhatIsToldAgainOverANewConnection() {
        List<ReplicaName> all = List.of(primary(first), primary(second));
        CompletableFuture<QueenReply> broken = hive.submit(desktop.numbered(inventory(told(List.of(all)))), desktop);
        hive.queenBee().runPass();
        desktop.disconnect();
        TestDesktop again = new TestDesktop(hive, "desk", 2, 2).registered();
        assertThat(broken.join().getUnknownSession()).isTrue();
        assertThat(differing(again, all)).isEmpty();
    }

    @Test
    void shouldCompareNothingAnyMoreForAConnectionThatBrokeMidway() {
        makeManyInodes();
        List<ReplicaName> all = List.of(primary(first), primary(second));
        hive.submit(desktop.numbered(inventory(told(List.of(all)))), desktop);
        hive.queenBee().runPass();
        hive.queenBee().runPass();
        assertThat(hive.queenBee().state().inventories().isRunning()).isTrue();

        hive.queenBee().disconnected(desktop);
        hive.queenBee().runPass();

        assertThat(hive.queenBee().state().inventories().isRunning()).isFalse();
        desktop.register(desktop.register());
        assertThat(differing(desktop, all)).isEmpty();
    }

    /** It may come before the end of its former connection is noticed. */
    @Test
    void shouldAnswerARequestThatWasSentAgainInThePlaceOfAForgottenOne() {
        makeManyInodes();
        List<ReplicaName> all = List.of(primary(first), primary(second));
        QueenRequest request = desktop.numbered(inventory(told(List.of(all))));
        hive.submit(request, desktop);
        hive.queenBee().runPass();
        TestDesktop again = new TestDesktop(hive, "desk");
        Register register = again.register().setSession(desktop.session()).build();
        hive.submit(QueenRequest.newBuilder().setRegister(register).build(), again);
        CompletableFuture<QueenReply> answer = hive.submit(request, again);
        hive.queenBee().runPass();
        assertThat(answer).isNotDone();

        desktop.disconnect();

        assertThat(answer).isCompleted();
        assertThat(answer.join().getUnknownSession()).isFalse();
        assertThat(answer.join().getInventoryDifferences().getRangesList()).isEmpty();
    }

    @Test
    void shouldRefuseMoreRangesThanItCanKeep() {
        Inventory.Builder tooMany = Inventory.newBuilder();
        for (int i = 0; i < 4097; i++) {
            tooMany.addRanges(InventoryRange.newBuilder().setLastInode(i));
        }
        assertThat(desktop.fails(inventory(tooMany))).isEqualTo(Errno.E2BIG);
    }

    @Test
    void shouldHaveASecondaryFetchedAgainThatIsMissing() {
        TestDesktop again = come(other);
        assertThat(differing(again, List.of(secondary(second)))).containsExactly(0);

        list(again, secondary(second));

        assertThat(fetched(again)).containsExactly(first);
        assertThat(inode(first).secondaries().isCurrent(hive.number("other"))).isTrue();
    }

    @Test
    void shouldHaveASecondaryFetchedAgainThatIsMissingAboveAllOthers() {
        TestDesktop again = come(other);
        assertThat(differing(again, List.of(secondary(first)))).isEmpty();

        list(again);

        assertThat(fetched(again)).containsExactly(second);
    }

    @Test
    void shouldMissNothingThatHasComeMeanwhile() {
        TestDesktop again = come(other);
        List<ReplicaName> seen = List.of(secondary(first), secondary(second));
        long third = makeFile("third", 5);
        hive.advance(List.of(desktop, again), Duration.ofMinutes(2));
        assertThat(fetched(again)).containsExactly(third);

        assertThat(differing(again, seen)).isEmpty();
        list(again);

        assertThat(fetched(again)).containsExactly(third);
    }

    @Test
    void shouldNotMissWhatWasWrittenMeanwhile() {
        TestDesktop again = come(desktop);
        again.ok(Ask.open(first, 7, true, true));
        again.ok(Ask.release(first, 7, Ask.written(first, 20)));
        assertThat(differing(again, List.of(primary(second)))).containsExactly(0);

        list(again, primary(second));
        hive.advance(List.of(again, other), Duration.ofMinutes(2));

        assertThat(inode(first).honeycomb()).isEqualTo(hive.number("desk"));
    }

    @Test
    void shouldMoveAPrimaryThatIsMissing() {
        TestDesktop again = come(desktop);
        assertThat(differing(again, List.of(primary(second)))).containsExactly(0);

        list(again, primary(second));
        hive.advance(List.of(again, other), Duration.ofMinutes(2));

        assertThat(inode(first).honeycomb()).isEqualTo(hive.number("other"));
        assertThat(inode(second).honeycomb()).isEqualTo(hive.number("desk"));
        assertThat(fetched(again)).containsExactly(first);
    }

    @Test
    void shouldMoveAPrimaryThatIsMissingAndWasToBeWrittenSince() {
        desktop.ok(Ask.open(first, 7, false, true));
        desktop.ok(Ask.release(
                first, 7, ReplicaStatus.newBuilder().setObservation(2).build()));
        assertThat(inode(first).unsealed()).isTrue();
        TestDesktop again = come(desktop);
        assertThat(differing(again, List.of(primary(second)))).containsExactly(0);

        list(again, primary(second));
        hive.advance(List.of(again, other), Duration.ofMinutes(2));

        assertThat(inode(first).honeycomb()).isEqualTo(hive.number("other"));
    }

    @Test
    void shouldNotMoveAPrimaryThatIsMissingToWhereItMayBeMissingToo() {
        TestDesktop again = come(desktop);
        TestDesktop heir = come(other);
        assertThat(differing(again, List.of(primary(second)))).containsExactly(0);

        list(again, primary(second));
        hive.advance(List.of(again, heir), Duration.ofMinutes(2));
        assertThat(inode(first).honeycomb()).isEqualTo(hive.number("desk"));

        heir.inventoried();
        hive.advance(List.of(again, heir), Duration.ofMinutes(2));
        assertThat(inode(first).honeycomb()).isEqualTo(hive.number("other"));
    }

    @Test
    void shouldMoveAPrimaryThatIsMissingWhenNobodyHasItOpenAnyMore() {
        TestDesktop again = come(desktop);
        other.ok(Ask.open(first, 7, true, false));
        assertThat(differing(again, List.of(primary(second)))).containsExactly(0);
        list(again, primary(second));
        hive.advance(List.of(again, other), Duration.ofSeconds(20));
        assertThat(inode(first).honeycomb()).isEqualTo(hive.number("desk"));

        other.ok(Ask.open(first, 8, false, true));
        other.ok(Ask.release(
                first, 8, ReplicaStatus.newBuilder().setObservation(1).build()));
        other.ok(Ask.release(first, 7));
        hive.advance(List.of(again, other), Duration.ofMinutes(2));

        assertThat(inode(first).honeycomb()).isEqualTo(hive.number("other"));
    }

    @Test
    void shouldKeepAPrimaryThatIsMissingWhenThereIsNothingElse() {
        TestDesktop again = come(desktop);
        other.disconnect();
        assertThat(differing(again, List.of(primary(second)))).containsExactly(0);

        list(again, primary(second));
        hive.advance(List.of(again), Duration.ofSeconds(20));
        assertThat(inode(first).honeycomb()).isEqualTo(hive.number("desk"));
        assertThat(honeycomb("desk").unsound().missing()).containsOnlyKeys(first);
        assertThat(ReplicaWords.of(hive.queenBee().state().honeycombs(), inode(first)))
                .extracting(ReplicaWords::state)
                .contains("missing");

        other.registered();
        hive.advance(List.of(again, other), Duration.ofMinutes(2));
        assertThat(inode(first).honeycomb()).isEqualTo(hive.number("other"));
        assertThat(honeycomb("desk").unsound().missing()).isEmpty();
    }

    /** Its daemon was started again, and its catalog made anew from what is in its folder. */
    private TestDesktop come(TestDesktop former) {
        former.disconnect();
        TestDesktop again = new TestDesktop(hive, former.name(), 2, 100);
        again.register(again.register());
        return again;
    }

    /** Lists all that is in the ranges that differ, to the end. */
    private void list(TestDesktop by, ReplicaName... replicas) {
        by.ok(inventory(Inventory.newBuilder().addAllReplicas(List.of(replicas))));
        if (replicas.length > 0) {
            by.inventoried();
        }
        hive.advance(List.of(by), Duration.ofSeconds(20));
    }

    private static List<Long> fetched(TestDesktop by) {
        return by.received().stream()
                .flatMap(request -> request.getFetch().getFetchesList().stream())
                .map(fetch -> fetch.getReplica().getInode())
                .toList();
    }

    private Honeycomb honeycomb(String name) {
        return hive.queenBee().state().honeycombs().lastOn(name);
    }

    private void makeManyInodes() {
        for (int i = 0; i < 20_000; i++) {
            hive.submit(desktop.numbered(Ask.mknod(Namespace.ROOT, "fifo" + i, FileMode.FIFO | 0644)), desktop);
        }
        hive.run();
    }

    private long makeFile(String name, int handle) {
        long file = desktop.ok(Ask.create(Namespace.ROOT, name, 0644, handle))
                .getNode()
                .getAttributes()
                .getInode();
        ReplicaStatus written = desktop.replica(
                file,
                ReplicaStatus.newBuilder()
                        .setSize(10)
                        .setMtime(Timestamp.newBuilder().setSeconds(10))
                        .setObservation(1));
        desktop.ok(Ask.release(file, handle, written));
        return file;
    }

    private Inode inode(long number) {
        return Objects.requireNonNull(hive.queenBee().state().namespace().find(number));
    }

    private ReplicaName primary(long file) {
        return ReplicaName.newBuilder()
                .setInode(file)
                .setEpoch(inode(file).epoch())
                .setVersion(inode(file).version())
                .build();
    }

    private ReplicaName secondary(long file) {
        return primary(file).toBuilder().setSecondary(true).build();
    }

    private static List<Integer> differing(TestDesktop by, List<ReplicaName> range) {
        return differingRanges(by, List.of(range));
    }

    private static List<Integer> differing(TestDesktop by, List<ReplicaName> first, List<ReplicaName> second) {
        return differingRanges(by, List.of(first, second));
    }

    private static List<Integer> differingRanges(TestDesktop by, List<List<ReplicaName>> ranges) {
        return by.ok(inventory(told(ranges))).getInventoryDifferences().getRangesList();
    }

    private static Inventory.Builder told(List<List<ReplicaName>> ranges) {
        Inventory.Builder told = Inventory.newBuilder();
        for (List<ReplicaName> replicas : ranges) {
            ReplicaDigest digest = new ReplicaDigest();
            replicas.forEach(digest::add);
            InventoryRange.Builder range = InventoryRange.newBuilder()
                    .setLastInode(replicas.stream()
                            .mapToLong(ReplicaName::getInode)
                            .max()
                            .orElseThrow());
            digest.tell(range);
            told.addRanges(range);
        }
        return told;
    }

    private static QueenRequest.Builder inventory(Inventory.Builder inventory) {
        return QueenRequest.newBuilder().setInventory(inventory);
    }
}
