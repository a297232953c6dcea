package org.beefs.honeybee.heldback;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The holder of what programs were told is written and is held back, as long as write leases hold. Thread-safe; methods
 * are called on threads that receive from the network, and wait for nothing.
 */
public interface HeldBack {
    /** Done when the honeycomb has what was said to be written to a file before, or never will. */
    CompletableFuture<Void> flush(long inode);

    /** As {@link #flush} of all files. */
    CompletableFuture<Void> flushAll();

    /** Files of which something is held back now. */
    List<Long> inodes();

    /** What is on its way to honeycombs does not arrive any more. It is sent again when it may be. */
    void cutOff();

    /** Others may have used these files since: what is held back of them fails, and is not sent any more. */
    void giveUp(List<Long> inodes);

    /** Nothing is held back. */
    HeldBack NOTHING = new HeldBack() {
        @Override
        public CompletableFuture<Void> flush(long inode) {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletableFuture<Void> flushAll() {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public List<Long> inodes() {
            return List.of();
        }

        @Override
        public void cutOff() {}

        @Override
        public void giveUp(List<Long> inodes) {}
    };
}
