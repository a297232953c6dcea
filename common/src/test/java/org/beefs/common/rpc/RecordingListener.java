package org.beefs.common.rpc;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;

/** Keeps what a link says. Thread-safe. */
public final class RecordingListener implements Link.Listener {
    public final BlockingQueue<Frame> frames = new LinkedBlockingQueue<>();
    public final CompletableFuture<Integer> receivedBeforeOthers = new CompletableFuture<>();
    public final CompletableFuture<String> closed = new CompletableFuture<>();

    @Override
    public void received(Frame frame) {
        frames.add(frame);
    }

    @Override
    public void receivedAll() {
        receivedBeforeOthers.complete(frames.size());
    }

    @Override
    public void closed(String reason) {
        if (!closed.complete(reason)) {
            throw new AssertionError("closed twice");
        }
    }
}
