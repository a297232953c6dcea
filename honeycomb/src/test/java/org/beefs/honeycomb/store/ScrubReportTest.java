package org.beefs.honeycomb.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.LongStream;
import org.beefs.common.config.ByteSize;
import org.beefs.common.wire.ReplicaName;
import org.beefs.common.wire.ScrubReport;
import org.beefs.honeycomb.pace.Pace;
import org.beefs.honeycomb.pace.Pressure;
import org.beefs.honeycomb.pace.User;
import org.beefs.honeycomb.scrub.Scrubber;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.junit.jupiter.api.Test;

/** What the queen-bee is told of more rotten replicas than one report names. */
class ScrubReportTest {
    private final StoreFixture fixture = new StoreFixture();

    /** Heartbeats wait for it, on the daemon's only thread for timers. */
    @Test
    void shouldNotWaitForTheDiskToTellWhatIsRotten() {
        rotBeforeTheStart(5);
        List<Runnable> waiting = new ArrayList<>();
        Scrubber scrubber = scrubber(waiting::add);
        fixture.catalog.failReads(true);

        ScrubReport first = scrubber.report();
        assertThat(first.getRottenCount()).isZero();
        assertThat(first.getRottenAfter()).as("nothing is said of any").isEqualTo(-1);

        scrubber.report();
        assertThat(waiting).as("one list at a time").hasSize(1);
        fixture.catalog.failReads(false);
        waiting.forEach(Runnable::run);
        assertThat(scrubber.report().getRottenList())
                .extracting(ReplicaName::getInode)
                .containsExactly(5L);
    }

    @Test
    void shouldGoOnTellingWhatIsKnownWhenTheCatalogCannotBeRead() {
        rotBeforeTheStart(5);
        Scrubber scrubber = scrubber(Runnable::run);
        ScrubReport known = scrubber.report();
        fixture.catalog.failReads(true);

        assertThat(scrubber.report()).isEqualTo(known);
    }

    @Test
    void shouldGoOnTellingWhatIsKnownWhenTooMuchWaitsForTheDisk() {
        Scrubber scrubber = scrubber(_ -> {
            throw new RejectedExecutionException();
        });

        assertThat(scrubber.report()).isEqualTo(scrubber.report());
    }

    private Scrubber scrubber(Executor disk) {
        return new Scrubber(
                fixture.store,
                fixture.catalog,
                fixture.clock,
                fixture.timers,
                disk,
                new Pace(fixture.clock, fixture.timers, Pressure.UNKNOWN, User.UNKNOWN, new ByteSize(4 << 20)),
                Duration.ofDays(14),
                false);
    }

    @Test
    void shouldTellOfAllThatIsRottenInReportsThatFollowOneAnother() {
        LongStream.rangeClosed(1, 2500).forEach(this::rotBeforeTheStart);
        Scrubber scrubber = scrubber(Runnable::run);

        List<ScrubReport> round = List.of(scrubber.report(), scrubber.report(), scrubber.report());
        assertThat(round)
                .allMatch(report -> report.getRottenCount() <= 1000)
                .allMatch(report -> report.getRottenTotal() == 2500);
        assertThat(round.stream().flatMap(report -> report.getRottenList().stream()))
                .extracting(ReplicaName::getInode)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, 2500).boxed().toList());
        assertThat(round).extracting(ScrubReport::getRottenAfter).containsExactly(0L, 1000L, 2000L);
        assertThat(round).extracting(ScrubReport::getRottenThrough).containsExactly(1000L, 2000L, 0L);

        LongStream.rangeClosed(1, 1000).forEach(inode -> fixture.catalog.remove(new ReplicaId(inode, 0)));
        ScrubReport next = scrubber.report();
        assertThat(next.getRottenList())
                .extracting(ReplicaName::getInode)
                .startsWith(1001L)
                .endsWith(2000L);
        assertThat(next.getRottenTotal()).isEqualTo(1500);
        assertThat(scrubber.progress().getRottenTotal()).isEqualTo(1500);
    }

    private void rotBeforeTheStart(long inode) {
        fixture.catalog.put(ReplicaDescription.newBuilder()
                .setInode(inode)
                .setVersion(3)
                .setRotten(true)
                .build());
        fixture.store.rot().remember(new ReplicaId(inode, 0));
    }
}
