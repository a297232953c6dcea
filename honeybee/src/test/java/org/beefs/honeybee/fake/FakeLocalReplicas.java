package org.beefs.honeybee.fake;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.replica.LocalReplicaAccess;
import org.beefs.common.replica.ReplicaPin;
import org.beefs.common.rpc.Payload;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.ReplicaTarget;
import org.beefs.common.wire.SetTimes;

/** The honeycomb of this process: replicas that have a size, and pins that end when a test says so. */
public final class FakeLocalReplicas implements LocalReplicaAccess {
    /** A use of a replica's file by the kernel. */
    public final class Pin implements ReplicaPin {
        public final boolean write;
        public final boolean required;
        public boolean released;
        public final CompletableFuture<ReplicaStatus> end = new CompletableFuture<>();
        private final int descriptor;

        private Pin(boolean write, boolean required, int descriptor) {
            this.write = write;
            this.required = required;
            this.descriptor = descriptor;
        }

        @Override
        public int descriptor() {
            return descriptor;
        }

        @Override
        public long size() {
            return size;
        }

        @Override
        public CompletableFuture<ReplicaStatus> release() {
            released = true;
            return end;
        }
    }

    public final List<Pin> pins = new ArrayList<>();

    /** The file that each inode's replica is now. */
    private final Map<Long, Integer> descriptors = new HashMap<>();

    private int nextDescriptor = 100;

    /** It has little space left. */
    public boolean refuses;

    /** Whether it has a lease, so that it takes changes. */
    public BooleanSupplier leased = () -> true;

    /** Happens each time between the question for a pin and its answer. */
    public Runnable whilePinning = () -> {};

    /** Happens each time between a truncation and its answer. */
    public Runnable whileTruncating = () -> {};

    private long size;
    private long observations;

    @Override
    public CompletableFuture<Void> prepareToWrite(ReplicaTarget target) {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public Optional<ReplicaPin> pin(ReplicaTarget target, boolean write, boolean required) {
        boolean closed = write && !leased.getAsBoolean();
        if (!required && (refuses || closed)) {
            return Optional.empty();
        }
        if (closed) {
            throw new PosixException(Errno.EIO, "it cannot be written until the queen-bee is heard");
        }
        Pin pin = new Pin(write, required, descriptors.computeIfAbsent(target.getInode(), inode -> nextDescriptor++));
        pins.add(pin);
        whilePinning.run();
        return Optional.of(pin);
    }

    @Override
    public boolean isPinnedToWrite(ReplicaTarget target) {
        return pins.stream().anyMatch(pin -> pin.write && !pin.end.isDone());
    }

    /** The replica is another file from now on. */
    public void replace(long inode) {
        descriptors.remove(inode);
    }

    /** What the replica is like when it has that size. */
    public ReplicaStatus status(long present) {
        size = present;
        return ReplicaStatus.newBuilder()
                .setExists(true)
                .setSize(size)
                .setObservation(++observations)
                .build();
    }

    @Override
    public CompletableFuture<ReplicaStatus> truncate(ReplicaTarget target, long to) {
        boolean taken = leased.getAsBoolean();
        whileTruncating.run();
        return taken
                ? CompletableFuture.completedFuture(status(to))
                : CompletableFuture.failedFuture(new PosixException(Errno.EAGAIN, "no changes are taken now"));
    }

    @Override
    public CompletableFuture<List<ReplicaStatus>> statuses(List<ReplicaTarget> targets) {
        return CompletableFuture.completedFuture(
                targets.stream().map(target -> status(size)).toList());
    }

    @Override
    public CompletableFuture<Payload> read(ReplicaTarget target, long offset, int length) {
        return unexpected();
    }

    @Override
    public CompletableFuture<ReplicaStatus> write(ReplicaTarget target, long offset, boolean append, ByteBuf content) {
        return unexpected();
    }

    @Override
    public CompletableFuture<ReplicaStatus> allocate(ReplicaTarget target, int mode, long offset, long length) {
        return unexpected();
    }

    @Override
    public CompletableFuture<ReplicaStatus> setTimes(ReplicaTarget target, SetTimes times) {
        return unexpected();
    }

    @Override
    public CompletableFuture<ReplicaStatus> sync(ReplicaTarget target, boolean dataOnly) {
        return unexpected();
    }

    @Override
    public CompletableFuture<Long> seek(ReplicaTarget target, long offset, boolean hole) {
        return unexpected();
    }

    @Override
    public CompletableFuture<Copied> copy(ReplicaTarget source, long from, ReplicaTarget target, long to, long length) {
        return unexpected();
    }

    private static <T> CompletableFuture<T> unexpected() {
        return CompletableFuture.failedFuture(new PosixException(Errno.EOPNOTSUPP, "not in this test"));
    }
}
