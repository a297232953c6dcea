package org.beefs.queenbee.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.request.CurrentRequest;
import org.beefs.common.wire.ExplainWaits;
import org.beefs.common.wire.ExplainedWait;
import org.beefs.common.wire.LockMode;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;

class WaitExplainerTest {
    private static final long ROOT = Namespace.ROOT;

    private final TestHive hive = new TestHive();
    private final TestDesktop author = new TestDesktop(hive, "author").registered();
    private final TestDesktop holder = new TestDesktop(hive, "holder").registered();

    @Test
    void shouldNameWhoHasNotLetGoYet() {
        holder.ok(Ask.list(ROOT, 0, 10));
        holder.holdOn();

        submit(7, Ask.mkdir(ROOT, "d", 0755));

        assertThat(waits(7, 8)).containsExactly("7: holder to let go of what it caches");
        holder.letGo();
        assertThat(waits(7, 8)).isEmpty();
    }

    @Test
    void shouldSayForHowLongHeWasSilent() {
        holder.ok(Ask.list(ROOT, 0, 10));
        holder.holdOn();
        submit(7, Ask.mkdir(ROOT, "d", 0755));

        hive.advance(List.of(author), Duration.ofSeconds(3));

        assertThat(waits(7))
                .singleElement()
                .asString()
                .matches("7: holder \\(silent for [34] s\\) to let go of what it caches");
    }

    @Test
    void shouldTellOthersNothingOfASession() {
        holder.ok(Ask.list(ROOT, 0, 10));
        holder.holdOn();
        submit(7, Ask.mkdir(ROOT, "d", 0755));

        assertThat(holder.ok(ask(7)).getExplainedWaits().getWaitsList()).isEmpty();
    }

    @Test
    void shouldNameWhoIsMissingAfterHerStart() {
        hive.restart();
        author.registered();

        submit(7, Ask.mkdir(ROOT, "d", 0755));

        assertThat(waits(7))
                .containsExactly("7: the end of the grace after her start, unless holder comes back before");
    }

    @Test
    void shouldNameTheDesktopOnWhichAloneAFileCanBeWritten() {
        long file = holder.ok(Ask.create(ROOT, "f", 0644, 1))
                .getNode()
                .getAttributes()
                .getInode();
        holder.ok(Ask.release(file, 1, Ask.written(file, 100, 1)));
        holder.disconnect();

        submit(7, Ask.open(file, 2, true, true));

        assertThat(waits(7)).containsExactly("7: holder to come back: the file can be written only there");
    }

    @Test
    void shouldSayThatSheWaitsForHerDisk() {
        hive.holdFlushes();
        author.ok(Ask.mkdir(ROOT, "d", 0755));

        submit(7, Ask.sync());

        assertThat(waits(7)).containsExactly("7: her disk");
    }

    @Test
    void shouldNameWhoHasALock() {
        long file = author.ok(Ask.create(ROOT, "f", 0644, 1))
                .getNode()
                .getAttributes()
                .getInode();
        holder.ok(Ask.set(Ask.lock(file, 1, LockMode.EXCLUSIVE, 0, 9).setPid(12)));
        author.ok(Ask.set(
                Ask.lock(file, 1, LockMode.EXCLUSIVE, 0, 9).setWait(true).setTicket(5)));

        List<ExplainedWait> waits = author.ok(QueenRequest.newBuilder()
                        .setExplainWaits(ExplainWaits.newBuilder().addTickets(5).addTickets(6)))
                .getExplainedWaits()
                .getWaitsList();

        assertThat(waits)
                .containsExactly(ExplainedWait.newBuilder()
                        .setTicket(5)
                        .setReason("a lock that process 12 on holder has")
                        .build());
    }

    private CompletableFuture<QueenReply> submit(long request, QueenRequest.Builder what) {
        long before = CurrentRequest.enter(request);
        try {
            return author.submit(what);
        } finally {
            CurrentRequest.leave(before);
        }
    }

    private List<String> waits(long... requests) {
        return author.ok(ask(requests)).getExplainedWaits().getWaitsList().stream()
                .map(wait -> wait.getRequest() + ": " + wait.getReason())
                .toList();
    }

    private static QueenRequest.Builder ask(long... requests) {
        ExplainWaits.Builder question = ExplainWaits.newBuilder();
        for (long request : requests) {
            question.addRequests(request);
        }
        return QueenRequest.newBuilder().setExplainWaits(question);
    }
}
