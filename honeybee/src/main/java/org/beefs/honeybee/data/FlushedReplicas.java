package org.beefs.honeybee.data;

import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.beefs.common.replica.ReplicaAccess;
import org.beefs.common.rpc.Payload;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.ReplicaTarget;
import org.beefs.common.wire.SetTimes;

/**
 * Another desktop's honeycomb as everybody on this one must see it: with all that was said to be written. Thread-safe.
 */
final class FlushedReplicas implements ReplicaAccess {
    private final RemoteReplicas replicas;
    private final WriteBehind behind;

    FlushedReplicas(RemoteReplicas replicas, WriteBehind behind) {
        this.replicas = replicas;
        this.behind = behind;
    }

    @Override
    public CompletableFuture<Payload> read(ReplicaTarget target, long offset, int length) {
        CompletableFuture<Void> flushed = behind.flush(target.getInode());
        return flushed.state() == Future.State.SUCCESS // as it nearly always is
                ? replicas.read(target, offset, length)
                : flushed.thenCompose(done -> replicas.read(target, offset, length));
    }

    @Override
    public CompletableFuture<ReplicaStatus> write(ReplicaTarget target, long offset, boolean append, ByteBuf content) {
        return behind.flush(target.getInode()).thenCompose(done -> replicas.write(target, offset, append, content));
    }

    @Override
    public CompletableFuture<ReplicaStatus> truncate(ReplicaTarget target, long size) {
        return behind.flush(target.getInode()).thenCompose(done -> replicas.truncate(target, size));
    }

    @Override
    public CompletableFuture<ReplicaStatus> allocate(ReplicaTarget target, int mode, long offset, long length) {
        return behind.flush(target.getInode()).thenCompose(done -> replicas.allocate(target, mode, offset, length));
    }

    @Override
    public CompletableFuture<ReplicaStatus> setTimes(ReplicaTarget target, SetTimes times) {
        return behind.flush(target.getInode()).thenCompose(done -> replicas.setTimes(target, times));
    }

    @Override
    public CompletableFuture<ReplicaStatus> sync(ReplicaTarget target, boolean dataOnly) {
        return behind.flush(target.getInode()).thenCompose(done -> replicas.sync(target, dataOnly));
    }

    @Override
    public CompletableFuture<List<ReplicaStatus>> statuses(List<ReplicaTarget> targets) {
        return behind.flush(targets.stream().map(ReplicaTarget::getInode).toList())
                .thenCompose(done -> replicas.statuses(targets));
    }

    @Override
    public CompletableFuture<Long> seek(ReplicaTarget target, long offset, boolean hole) {
        return behind.flush(target.getInode()).thenCompose(done -> replicas.seek(target, offset, hole));
    }

    @Override
    public CompletableFuture<Copied> copy(ReplicaTarget source, long from, ReplicaTarget target, long to, long length) {
        return behind.flush(List.of(source.getInode(), target.getInode()))
                .thenCompose(done -> replicas.copy(source, from, target, to, length));
    }
}
