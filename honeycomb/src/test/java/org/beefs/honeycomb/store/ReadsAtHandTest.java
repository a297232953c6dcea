package org.beefs.honeycomb.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.honeycomb.store.StoreFixture.errnoOf;
import static org.beefs.honeycomb.store.Targets.EPOCH;
import static org.beefs.honeycomb.store.Targets.committed;
import static org.beefs.honeycomb.store.Targets.name;
import static org.beefs.honeycomb.store.Targets.ofEpoch;
import static org.beefs.honeycomb.store.Targets.target;
import static org.beefs.honeycomb.store.Targets.writeOnly;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.beefs.common.posix.Errno;
import org.beefs.common.rpc.Payload;
import org.beefs.common.time.Await;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.ReplicaTarget;
import org.beefs.common.wire.Seal;
import org.beefs.honeycomb.memory.MemoryDisk.Operation;
import org.beefs.honeycomb.state.ReplicaId;
import org.beefs.honeycomb.store.Replica.Hold;
import org.beefs.honeycomb.store.content.Content;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is answered without waiting, and what is left to who may wait. */
class ReadsAtHandTest {
    private static final String CONTENT = "honey";
    private static final long VERSION = 3;

    private final StoreFixture fixture = new StoreFixture();

    @BeforeEach
    void write() {
        fixture.disk.setMemory(() -> true);
        fixture.write(target(5), 0, CONTENT);
    }

    @AfterEach
    void noBufferLeaks() {
        fixture.assertNothingLeaks();
    }

    private @Nullable String read(ReplicaTarget target, long offset, int length) {
        Payload payload = fixture.store.readAtHand(target, offset, length);
        if (payload == null) {
            return null;
        }
        try {
            return ((Payload.Bytes) payload).buffer().toString(StandardCharsets.UTF_8);
        } finally {
            payload.close();
        }
    }

    private @Nullable String read(ReplicaTarget target) {
        return read(target, 0, 1000);
    }

    @Test
    void shouldReadWhatIsInMemory() {
        assertThat(read(target(5))).isEqualTo(CONTENT);
        assertThat(read(target(5), 1, 3)).isEqualTo("one");
        assertThat(read(target(5), 5, 3)).as("at the end").isEmpty();
    }

    @Test
    void shouldLeaveToOthersWhatIsNotInMemory() {
        fixture.disk.setMemory(() -> false);
        assertThat(read(target(5))).isNull();
        fixture.write(target(5), 10_000, "comb");
        AtomicInteger looks = new AtomicInteger();
        fixture.disk.setMemory(() -> looks.incrementAndGet() == 1);
        assertThat(read(target(5), 0, 20_000)).as("only in part").isNull();
    }

    @Test
    void shouldOpenNoFile() {
        fixture.restart();
        assertThat(read(target(5))).isNull();
        assertThat(fixture.read(target(5))).isEqualTo(CONTENT);
        assertThat(read(target(5))).as("open by now").isEqualTo(CONTENT);
        assertThat(read(target(6))).as("that there is none").isNull();
    }

    @Test
    void shouldNotTakeMoreFilesThanMayBeOpen() {
        for (int inode = 10; inode < 14; inode++) {
            fixture.write(target(inode), 0, CONTENT);
        }
        assertThat(read(target(5))).as("the one that was closed").isNull();
        assertThat(read(target(10))).isEqualTo(CONTENT);
        fixture.write(target(14), 0, CONTENT);
        assertThat(read(target(11))).as("the one used longest ago").isNull();
        assertThat(read(target(10))).isEqualTo(CONTENT);
    }

    @Test
    void shouldLeaveLargeReadsToOthers() {
        assertThat(read(target(5), 0, Content.SLICE_MINIMUM)).isNull();
        assertThat(read(target(5), 0, Content.SLICE_MINIMUM - 1)).isEqualTo(CONTENT);
    }

    @Test
    void shouldRefuseAsReadsAreRefused() {
        assertThat(errnoOf(() -> read(writeOnly(5)))).isEqualTo(Errno.EACCES);
        assertThat(errnoOf(() -> read(target(5).toBuilder().clearCapability().build())))
                .isEqualTo(Errno.EACCES);
        assertThat(errnoOf(() -> read(ofEpoch(5, EPOCH + 1)))).isEqualTo(Errno.ESTALE);
        assertThat(errnoOf(() -> read(exactly(VERSION)))).isEqualTo(Errno.ESTALE);
        assertThat(errnoOf(() -> read(target(5), -1, 10))).isEqualTo(Errno.EINVAL);
        assertThat(errnoOf(() -> read(target(5), 0, 0))).isEqualTo(Errno.EINVAL);
        fixture.store.drop(name(5));
        assertThat(read(committed(5, 1)))
                .as("the disk's threads say that it is gone")
                .isNull();
    }

    @Test
    void shouldAnswerTheVersionThatIsAskedFor() {
        seal();
        assertThat(read(exactly(VERSION))).isEqualTo(CONTENT);
        assertThat(errnoOf(() -> read(exactly(VERSION + 1)))).isEqualTo(Errno.ESTALE);
    }

    @Test
    void shouldAnswerNoVersionThatChangesWhileItIsRead() {
        seal();
        fixture.disk.setMemory(() -> {
            fixture.write(target(5), 0, "money");
            return true;
        });
        assertThat(read(exactly(VERSION))).isNull();
    }

    private void seal() {
        ReplicaStatus status = fixture.status(target(5));
        assertThat(fixture.seal(List.of(Seal.newBuilder()
                        .setReplica(name(5))
                        .setVersion(VERSION)
                        .setSize(status.getSize())
                        .setMtime(status.getMtime())
                        .build())))
                .isNull();
    }

    private static ReplicaTarget exactly(long version) {
        return target(5).toBuilder().setExactVersion(version).build();
    }

    @Test
    void shouldNotBelieveWhatHasYetToBeCompared() {
        seal();
        fixture.store.doubts().begin();
        assertThat(read(target(5))).isNull();
        fixture.store.doubts().end();
        assertThat(read(target(5))).isEqualTo(CONTENT);
    }

    @Test
    void shouldAnswerWhatHasNoVersionToBeComparedWithWhileOthersAreInDoubt() {
        fixture.store.doubts().begin();
        assertThat(read(target(5))).isEqualTo(CONTENT);
    }

    @Test
    void shouldNotWaitForWhoHasTheReplicaAlone() {
        List<Optional<String>> meanwhile = new ArrayList<>();
        fixture.disk.setFaults(operation -> {
            if (operation == Operation.TRUNCATE) {
                meanwhile.add(CompletableFuture.supplyAsync(() -> Optional.ofNullable(read(target(5))))
                        .orTimeout(10, TimeUnit.SECONDS)
                        .join());
            }
            return null;
        });
        fixture.store.truncate(target(5), 1).join();
        assertThat(meanwhile).containsExactly(Optional.empty());
    }

    /** Readers that do not wait would otherwise keep him waiting. */
    @Test
    void shouldNotPassWhoWaitsToHaveTheReplicaAlone() throws InterruptedException {
        Replica replica = new Replica(ReplicaId.of(target(5)), false);
        Hold read = Objects.requireNonNull(replica.tryToHoldShared());
        Thread waiting = Thread.ofPlatform().start(() -> {
            try (var _ = replica.holdExclusively()) {
                replica.drop();
            }
        });
        Await.until("the thread waits", () -> waiting.getState() == Thread.State.WAITING);
        assertThat(replica.tryToHoldShared()).isNull();
        read.close();
        waiting.join();
        assertThat(replica.tryToHoldShared()).isNotNull();
    }
}
