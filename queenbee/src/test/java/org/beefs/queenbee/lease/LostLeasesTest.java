package org.beefs.queenbee.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.beefs.common.wire.Goodbye;
import org.beefs.common.wire.Heartbeat;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Recall;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.MemoryStateStore;
import org.beefs.queenbee.testing.TestConfig;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How leases end otherwise than by an answer to a recall. */
class LostLeasesTest {
    private static final long ROOT = Namespace.ROOT;
    private static final int LIMIT = 100;

    private final TestHive hive = new TestHive(new MemoryStateStore(), TestConfig.withMaxLeases(LIMIT));
    private final TestDesktop author = new TestDesktop(hive, "author").registered();
    private final TestDesktop holder = new TestDesktop(hive, "holder").registered();

    @Test
    void shouldEndTheConnectionOfADesktopThatDoesNotAnswer() {
        CompletableFuture<QueenReply> made = parkedByHolder();

        hive.advance(Duration.ofMillis(4900));
        assertThat(made).isNotDone();
        assertThat(holder.isClosed()).isFalse();
        hive.advance(Duration.ofMillis(200));

        assertThat(made).isCompleted();
        assertThat(holder.isClosed()).isTrue();
        assertThat(holder.send(Ask.attributes(ROOT)).getUnknownSession())
                .as("it has to register first")
                .isTrue();
        holder.registered();
        assertThat(holder.ok(Ask.lookup(ROOT, "d")).getEntryLeased()).isTrue();
    }

    @Test
    void shouldWaitForADesktopThatWasHeardUntilItHasDroppedItsCache() {
        CompletableFuture<QueenReply> made = parkedByHolder();
        hive.advance(Duration.ofMillis(4900));
        heartbeat(holder);

        hive.advance(Duration.ofMillis(200));

        assertThat(holder.isClosed()).isTrue();
        assertThat(made)
                .as("the answer to its heartbeat lets it believe in its leases for 4 s")
                .isNotDone();
        hive.advance(Duration.ofMillis(4600));
        assertThat(made).isNotDone();
        hive.advance(Duration.ofMillis(300));
        assertThat(made).isCompleted();
    }

    @Test
    void shouldNotWaitForADesktopThatWasSilentForSoLong() {
        holder.ok(Ask.list(ROOT, 0, 10));
        hive.advance(Duration.ofSeconds(5));

        author.ok(Ask.mkdir(ROOT, "d", 0755));

        assertThat(holder.recalls()).isEmpty();
    }

    @Test
    void shouldWaitForADisconnectedDesktopOnlyAsLongAsItMayUseItsCache() {
        holder.ok(Ask.list(ROOT, 0, 10));
        hive.advance(Duration.ofSeconds(3));
        holder.disconnect();
        CompletableFuture<QueenReply> made = author.submit(Ask.mkdir(ROOT, "d", 0755));

        hive.advance(Duration.ofMillis(1900));
        assertThat(made).isNotDone();
        hive.advance(Duration.ofMillis(200));

        assertThat(made).isCompleted();
        assertThat(holder.recalls()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {-2, 2})
    void shouldWaitForADisconnectedDesktopByNoClockThatIsSet(int hoursForth) {
        holder.ok(Ask.list(ROOT, 0, 10));
        holder.disconnect();
        CompletableFuture<QueenReply> made = author.submit(Ask.mkdir(ROOT, "d", 0755));

        hive.time().setForth(Duration.ofHours(hoursForth));

        hive.advance(Duration.ofMillis(4900));
        assertThat(made).isNotDone();
        hive.advance(Duration.ofMillis(200));
        assertThat(made).isCompleted();
    }

    @Test
    void shouldWaitForADesktopWhoseConnectionBreaksWhileItIsAsked() {
        CompletableFuture<QueenReply> made = parkedByHolder();
        hive.advance(Duration.ofSeconds(1));
        holder.disconnect();

        assertThat(made).isNotDone();
        hive.advance(Duration.ofMillis(4100));
        assertThat(made).isCompleted();
    }

    @Test
    void shouldGoOnAtOnceWhenTheHolderRegisters() {
        CompletableFuture<QueenReply> made = parkedByHolder();
        holder.disconnect();

        holder.registered();

        assertThat(made).isCompleted();
        assertThat(hive.queenBee().state().leases().size()).as("the author's").isEqualTo(6);
    }

    @Test
    void shouldGoOnAtOnceWhenTheHoldersSessionEnds() {
        CompletableFuture<QueenReply> made = parkedByHolder();

        holder.ok(QueenRequest.newBuilder().setGoodbye(Goodbye.getDefaultInstance()));

        assertThat(made).isCompleted();
    }

    @Test
    void shouldNotTakeAnAnswerFromBeforeARegistrationForOneOfAfter() {
        parkedByHolder();
        holder.registered();
        holder.ok(Ask.list(ROOT, 0, 10));
        CompletableFuture<QueenReply> second = author.submit(Ask.mkdir(ROOT, "e", 0755));
        assertThat(holder.recalls()).hasSize(2);

        holder.answerOldest();

        assertThat(second).isNotDone();
        holder.letGo();
        assertThat(second).isCompleted();
    }

    @Test
    void shouldAskAgainWhenTheQueenBeeHerselfWasAsleep() {
        CompletableFuture<QueenReply> made = parkedByHolder();

        hive.time().jump(Duration.ofMinutes(10));
        hive.advance(Duration.ofMillis(1));

        assertThat(holder.isClosed()).isFalse();
        assertThat(holder.recalls()).hasSize(2);
        assertThat(made).isNotDone();
        holder.letGo();
        assertThat(made).isCompleted();
    }

    @Test
    void shouldChangeNothingAfterARestartUntilAllSessionsAreBack() {
        long file = inode(author.ok(Ask.mknod(ROOT, "f", 0100644)));
        hive.restart();
        author.register(author.register());

        CompletableFuture<QueenReply> made = author.submit(Ask.mkdir(ROOT, "d", 0755));
        CompletableFuture<QueenReply> opened = author.submit(Ask.open(file, 1, false, true));

        assertThat(made).isNotDone();
        assertThat(opened).isNotDone();
        CompletableFuture<QueenReply> seen = author.submit(Ask.attributes(ROOT));
        assertThat(seen).as("it may have been changed under a delegation").isNotDone();
        holder.register(holder.register());
        assertThat(seen.join().getNode().getAttributesLeased()).isTrue();
        assertThat(made).isCompleted();
        assertThat(opened).isCompleted();
    }

    @Test
    void shouldChangeNothingAfterARestartUntilTheOldLeasesHaveCertainlyEnded() {
        hive.restart();
        author.register(author.register());
        CompletableFuture<QueenReply> made = author.submit(Ask.mkdir(ROOT, "d", 0755));

        hive.advance(Duration.ofMillis(4900));
        assertThat(made).isNotDone();
        hive.advance(Duration.ofMillis(100));

        assertThat(made).isCompleted();
    }

    @Test
    void shouldRecallFromThoseWhoHaveReadSinceTheRestart() {
        hive.restart();
        author.register(author.register());
        CompletableFuture<QueenReply> made = author.submit(Ask.mkdir(ROOT, "d", 0755));
        holder.register(holder.register());
        assertThat(made).isCompleted();
        hive.restart();
        author.register(author.register());
        TestDesktop third = new TestDesktop(hive, "third").registered();
        CompletableFuture<QueenReply> listed = third.submit(Ask.list(ROOT, 0, 10));
        third.holdOn();
        CompletableFuture<QueenReply> second = author.submit(Ask.mkdir(ROOT, "e", 0755));

        holder.register(holder.register());

        assertThat(listed).isCompleted();
        assertThat(second).isNotDone();
        third.letGo();
        assertThat(second).isCompleted();
    }

    @Test
    void shouldRecallEverythingWhenASessionHasGatheredTooMuch() {
        List<Long> inodes = makeFiles(LIMIT + 2);
        for (long inode : inodes.subList(0, LIMIT)) {
            assertThat(leases(inode)).isTrue();
        }
        assertThat(holder.recalls()).isEmpty();
        holder.holdOn();

        assertThat(leases(inodes.get(LIMIT))).isTrue();

        assertThat(holder.recalls())
                .containsExactly(Recall.newBuilder().setEverything(true).build());
        holder.letGo();
        author.ok(Ask.chmod(inodes.get(0), 0600));
        assertThat(holder.recalls()).hasSize(1);
        author.ok(Ask.chmod(inodes.get(LIMIT), 0600));
        assertThat(holder.recalls())
                .as("what was granted after the recall has stayed")
                .hasSize(2);
    }

    @Test
    void shouldGrantOnlyAsMuchAgainBeforeEverythingIsLetGo() {
        List<Long> inodes = makeFiles(2 * LIMIT + 1);
        holder.holdOn();
        for (long inode : inodes.subList(0, 2 * LIMIT)) {
            assertThat(leases(inode)).isTrue();
        }

        assertThat(leases(inodes.get(2 * LIMIT))).isFalse();
        assertThat(leases(inodes.get(2 * LIMIT - 1)))
                .as("what is held may be granted again")
                .isTrue();
        assertThat(holder.recalls()).hasSize(1);
        holder.letGo();
        assertThat(leases(inodes.get(2 * LIMIT))).isTrue();
    }

    @Test
    void shouldNotAskAgainForWhatGoesWithEverything() {
        List<Long> inodes = makeFiles(LIMIT + 1);
        holder.holdOn();
        inodes.forEach(this::leases);
        CompletableFuture<QueenReply> changed = author.submit(Ask.chmod(inodes.get(0), 0600));
        assertThat(changed).isNotDone();

        holder.letGo();

        assertThat(changed).isCompleted();
        assertThat(holder.recalls()).hasSize(1);
    }

    private CompletableFuture<QueenReply> parkedByHolder() {
        holder.ok(Ask.list(ROOT, 0, 10));
        holder.holdOn();
        CompletableFuture<QueenReply> made = author.submit(Ask.mkdir(ROOT, "d", 0755));
        assertThat(made).isNotDone();
        return made;
    }

    private boolean leases(long inode) {
        return holder.ok(Ask.attributes(inode)).getNode().getAttributesLeased();
    }

    private List<Long> makeFiles(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> inode(author.ok(Ask.mknod(ROOT, "f" + i, 0100644))))
                .toList();
    }

    private static void heartbeat(TestDesktop desktop) {
        desktop.ok(QueenRequest.newBuilder().setHeartbeat(Heartbeat.getDefaultInstance()));
    }

    private static long inode(QueenReply reply) {
        return reply.getNode().getAttributes().getInode();
    }
}
