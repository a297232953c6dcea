package org.beefs.honeybee.queen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.honeybee.fake.FakeHive.ROOT;
import static org.beefs.honeybee.fake.FakeHive.bytes;

import io.netty.buffer.Unpooled;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.HoneycombOffer;
import org.beefs.common.wire.Open;
import org.beefs.common.wire.QueenRequest.OperationCase;
import org.beefs.honeybee.fake.EmptyHoneycomb;
import org.beefs.honeybee.fake.FakeHive;
import org.beefs.honeybee.filesystem.FileSystem.OpenFlags;
import org.beefs.honeybee.filesystem.FileSystem.OpenedFile;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of calls while the honeycomb waits for its disk before it lets its desktop register. */
class SlowRegistrationTest {
    private static final OpenFlags WRITE = new OpenFlags(true, true, false, false, false, false);
    private static final Duration TERM = Duration.ofSeconds(25);

    private final SlowHoneycomb own = new SlowHoneycomb();
    private final FakeHive hive = new FakeHive(FakeHive.CONFIG, own, null);
    private long file;

    @BeforeEach
    void register() {
        hive.get(hive.session.start());
        file = hive.queen.addFile("f", hive.honeycomb.layout(), Attributes.newBuilder());
    }

    @Test
    void shouldFailWhenTheSessionIsNotReplacedInTime() {
        hive.queen.endSession();
        own.flushes = new CompletableFuture<>();

        CompletableFuture<?> looking = hive.proxy.lookup(ROOT, 1, bytes("f"));
        CompletableFuture<?> removing = hive.proxy.unlink(ROOT, 1, bytes("g"));
        hive.pass(FakeHive.CONFIG.patience());

        assertThat(hive.failure(looking)).isEqualTo(Errno.EIO);
        assertThat(hive.failure(removing)).isEqualTo(Errno.EIO);
        own.flushes.complete(null);
        hive.get(hive.proxy.lookup(ROOT, 1, bytes("f")));
    }

    @Test
    void shouldFailAWriteThatWaitsForTheTermInVain() {
        OpenedFile open = hive.get(hive.files.open(ROOT, file, WRITE));
        hive.timers.clock().advance(TERM);
        own.flushes = new CompletableFuture<>();

        CompletableFuture<Void> write =
                hive.files.write(open.handle(), 0, Unpooled.copiedBuffer("x", StandardCharsets.UTF_8), false, false);
        hive.pass(FakeHive.CONFIG.patience());

        assertThat(hive.failure(write)).isEqualTo(Errno.EIO);
    }

    @Test
    void shouldReleaseAnOpenThatCannotBeAssertedInTime() {
        hive.queen.held = OperationCase.OPEN;
        CompletableFuture<Opened> opening = open();
        hive.timers.runDue();
        hive.get(hive.session.wake(), Duration.ofSeconds(1));
        own.flushes = new CompletableFuture<>();
        hive.queen.held = OperationCase.OPERATION_NOT_SET;
        hive.queen.letGo();
        hive.timers.runDue();
        assertThat(opening).isNotDone();

        hive.pass(FakeHive.CONFIG.patience());

        assertThat(hive.failure(opening)).isEqualTo(Errno.EIO);
        assertThat(hive.session.openFiles()).isZero();
        assertThat(hive.queen.releases).hasSize(1);
    }

    /** What has not been sent yet asserts no open that is over. */
    @Test
    void shouldNotKeepReleasesWaiting() {
        OpenRecord open = Objects.requireNonNull(hive.get(open()).open());
        own.flushes = new CompletableFuture<>();
        own.isExpired = true;
        hive.pass(Duration.ofSeconds(3));

        hive.get(hive.proxy.release(open, null));

        own.flushes.complete(null);
        hive.timers.runDue();
        assertThat(hive.queen.registers.getLast().getOpenFilesList()).isEmpty();
    }

    private CompletableFuture<Opened> open() {
        return hive.proxy.open(ROOT, Open.newBuilder().setInode(file).setWrite(true));
    }

    /** Brings to disk first what programs have written. */
    private static final class SlowHoneycomb extends EmptyHoneycomb {
        private CompletableFuture<Void> flushes = CompletableFuture.completedFuture(null);

        /** Then each heartbeat leads to a registration. */
        private boolean isExpired;

        @Override
        public boolean extendLease(long until) {
            return !isExpired;
        }

        @Override
        public CompletableFuture<HoneycombOffer> offer(@Nullable InetAddress from) {
            return flushes.thenApply(done -> HoneycombOffer.getDefaultInstance());
        }
    }
}
