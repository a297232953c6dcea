package org.beefs.honeybee.queen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.honeybee.fake.FakeHive.ROOT;
import static org.beefs.honeybee.fake.FakeHive.bytes;

import com.google.protobuf.ByteString;
import io.netty.buffer.Unpooled;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.HoneycombOffer;
import org.beefs.common.wire.Layout;
import org.beefs.common.wire.ReplicaName;
import org.beefs.honeybee.data.LocalReplicas;
import org.beefs.honeybee.fake.EmptyHoneycomb;
import org.beefs.honeybee.fake.FakeHive;
import org.beefs.honeybee.fake.FakeLocalReplicas;
import org.beefs.honeybee.fake.FakeQueen;
import org.beefs.honeybee.filesystem.AttributeChange;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.filesystem.FileSystem.OpenFlags;
import org.beefs.honeybee.filesystem.FileSystem.OpenedFile;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How long a desktop changes contents without hearing the queen-bee, who tells it 25 s. */
class WriteTermTest {
    private static final OpenFlags WRITE = new OpenFlags(true, true, false, false, false, false);
    private static final Duration TERM = Duration.ofSeconds(25);
    private static final Duration MORE = Duration.ofSeconds(5);
    private static final Duration AT_ONCE = Duration.ofSeconds(1);
    private static final ByteString HERE = ByteString.copyFromUtf8("this honeycomb's");

    private final FakeLocalReplicas local = new FakeLocalReplicas();
    private long file;

    @Test
    void shouldWriteToOtherDesktopsWhileTheQueenBeeIsNotAwayForTooLong() {
        FakeHive hive = FakeHive.started();
        OpenedFile file = create(hive);
        hive.queen.stop();
        hive.pass(TERM.minusSeconds(4));

        hive.get(write(hive, file));
    }

    @Test
    void shouldWaitForTheQueenBeeBeforeItWritesToOtherDesktopsAgain() {
        FakeHive hive = FakeHive.started();
        OpenedFile file = create(hive);
        hive.queen.stop();
        hive.pass(TERM);

        CompletableFuture<Void> write = write(hive, file);
        hive.pass(MORE);
        assertThat(write).isNotDone();

        hive.queen.start(FakeQueen.PORT);
        hive.get(write, MORE);
    }

    @Test
    void shouldRegisterAnewWhenAnAnswerComesTooLateToGoOn() {
        FakeHive hive = FakeHive.started();
        OpenedFile file = create(hive);
        int registers = hive.queen.registers.size();
        hive.timers.clock().advance(TERM);
        assertThat(hive.session.mayChange()).isFalse();

        CompletableFuture<Void> write = write(hive, file);
        hive.get(write, MORE);

        assertThat(hive.session.mayChange()).isTrue();
        assertThat(hive.queen.registers).hasSizeGreaterThan(registers);
    }

    @Test
    void shouldTellItsHoneycombHowLongTheTermIs() {
        Comb comb = new Comb();
        FakeHive hive = new FakeHive(FakeHive.CONFIG, comb, null);
        long start = hive.timers.clock().bootNanos();
        hive.get(hive.session.start());
        assertThat(comb.until).isEqualTo(start + TERM.toNanos());

        hive.pass(Duration.ofSeconds(10));

        assertThat(comb.until)
                .isGreaterThanOrEqualTo(start + TERM.plusSeconds(8).toNanos());
    }

    @Test
    void shouldAskAboutWrittenReplicasAndTellTheHoneycombWhichAreLost() {
        Comb comb = new Comb();
        ReplicaName written = ReplicaName.newBuilder().setInode(5).build();
        comb.offer = HoneycombOffer.newBuilder().addWritten(written).build();
        FakeHive hive = new FakeHive(FakeHive.CONFIG, comb, null);
        hive.queen.lostReplicas.add(written);

        hive.get(hive.session.start());

        assertThat(hive.queen.registers.getLast().getHoneycomb()).isEqualTo(comb.offer);
        assertThat(comb.lost).containsExactly(written);
    }

    @Test
    void shouldAskAgainWhenTheHoneycombHasMoreToAsk() {
        Comb comb = new Comb();
        comb.unsettled = 1;
        FakeHive hive = new FakeHive(FakeHive.CONFIG, comb, null);

        hive.get(hive.session.start());
        hive.pass(Duration.ofSeconds(1));

        assertThat(hive.queen.registers).hasSize(2);
    }

    @Test
    void shouldRegisterAnewWhenTheHoneycombsLeaseHasRunOut() {
        Comb comb = new Comb();
        FakeHive hive = new FakeHive(FakeHive.CONFIG, comb, null);
        hive.get(hive.session.start());
        comb.expired = true;

        hive.pass(Duration.ofSeconds(3));

        assertThat(hive.queen.registers).hasSizeGreaterThan(1);
    }

    @Test
    void shouldWaitUntilItsHoneycombTakesChangesAgain() {
        Comb comb = new Comb();
        FakeHive hive = withLocalFile(comb);
        CompletableFuture<Boolean> settled = new CompletableFuture<>();
        comb.settled = settled;
        local.leased = settled::isDone;
        hive.timers.clock().advance(TERM);
        hive.session.wake();
        hive.pass(AT_ONCE);

        CompletableFuture<?> truncation = truncate(hive);
        hive.timers.runDue();
        assertThat(truncation).isNotDone();

        settled.complete(true);
        hive.get(truncation);
    }

    @Test
    void shouldNotWriteToOtherDesktopsBeforeItsHoneycombTakesChanges() {
        Comb comb = new Comb();
        FakeHive hive = withLocalFile(comb);
        hive.timers.clock().advance(TERM);
        comb.settled = new CompletableFuture<>();
        hive.session.wake();
        hive.pass(AT_ONCE);
        assertThat(hive.session.mayChange()).isFalse();

        comb.settled.complete(true);

        assertThat(hive.session.mayChange()).isTrue();
    }

    @Test
    void shouldGoOnWritingWhileItsHoneycombSettles() {
        Comb comb = new Comb();
        FakeHive hive = withLocalFile(comb);
        comb.unsettled = 1;
        comb.settled = new CompletableFuture<>();
        hive.session.wake();
        hive.pass(AT_ONCE);

        assertThat(hive.session.mayChange()).isTrue();
        hive.get(truncate(hive));
    }

    @Test
    void shouldWriteNothingAnyMoreAsSoonAsTheQueenBeeChangesNothing() {
        FakeHive hive = FakeHive.started();
        hive.queen.isReadOnly = true;

        hive.get(hive.session.wake(), AT_ONCE);

        assertThat(hive.session.mayChange()).isFalse();
    }

    @Test
    void shouldTryAgainWhenATermHasBegunSinceItsHoneycombTookNoChange() {
        Comb comb = new Comb();
        FakeHive hive = withLocalFile(comb);
        AtomicBoolean refuses = new AtomicBoolean(true);
        local.leased = () -> !refuses.getAndSet(false);
        local.whileTruncating = () -> {
            local.whileTruncating = () -> {};
            hive.timers.clock().advance(TERM);
            hive.session.wake();
            hive.pass(MORE);
            assertThat(hive.session.mayChange()).isTrue();
        };

        CompletableFuture<?> truncation = truncate(hive);
        hive.pass(MORE);

        hive.get(truncation);
    }

    @Test
    void shouldTellProgramsWhatHasNothingToDoWithTheTerm() {
        FakeHive hive = withLocalFile(new Comb());
        local.leased = () -> false;

        assertThat(hive.failure(truncate(hive))).isEqualTo(Errno.EAGAIN);
    }

    private FakeHive withLocalFile(Comb comb) {
        FakeHive hive = new FakeHive(FakeHive.CONFIG, comb, new LocalReplicas(HERE, local));
        hive.get(hive.session.start());
        file = hive.queen.addFile(
                "f",
                Layout.newBuilder().setHoneycomb(HERE).setEpoch(1),
                Attributes.newBuilder().setMode(0100644));
        return hive;
    }

    private CompletableFuture<Attributes> truncate(FakeHive hive) {
        return hive.files.setAttributes(ROOT, file, new AttributeChange(null, null, null, 5L, null, null, null, false));
    }

    private static OpenedFile create(FakeHive hive) {
        return hive.get(hive.files.create(ROOT, FileSystem.ROOT, bytes("f"), 0644, 0, WRITE));
    }

    private static CompletableFuture<Void> write(FakeHive hive, OpenedFile file) {
        return hive.files.write(file.handle(), 0, Unpooled.copiedBuffer("x", StandardCharsets.UTF_8), false, false);
    }

    private static final class Comb extends EmptyHoneycomb {
        private HoneycombOffer offer = HoneycombOffer.getDefaultInstance();
        private final List<ReplicaName> lost = new ArrayList<>();
        private long until;
        private int unsettled;
        private boolean expired;
        private @Nullable CompletableFuture<Boolean> settled;

        @Override
        public CompletableFuture<HoneycombOffer> offer(@Nullable InetAddress from) {
            return CompletableFuture.completedFuture(offer);
        }

        @Override
        public boolean extendLease(long end) {
            until = end;
            return !expired;
        }

        @Override
        public CompletableFuture<Boolean> registered(long end, HoneycombOffer asked, List<ReplicaName> gone) {
            until = end;
            lost.addAll(gone);
            boolean asksAgain = unsettled-- > 0;
            return settled == null || asksAgain ? CompletableFuture.completedFuture(!asksAgain) : settled;
        }
    }
}
