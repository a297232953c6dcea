package org.beefs.honeybee.fuse.exchange;

import org.beefs.common.posix.Errno;
import org.beefs.honeybee.fuse.protocol.Reply;

/**
 * How the result of an operation becomes the answer to the kernel.
 *
 * @param <T> the operation's result
 */
@FunctionalInterface
public interface Answer<T> {
    /** Sends it, and says whether the kernel took it. */
    boolean send(Reply reply, T result);

    /** Sends that the operation failed, and says whether the kernel took it. */
    default boolean sendFailure(Reply reply, Errno errno) {
        return reply.error(errno);
    }

    /** Gives back what the result holds, when it came after its request was given up or the kernel did not take it. */
    default void undelivered(T result) {}

    /** Whether an operation whose caller is gone may be cancelled; not if its result must be given back then. */
    default boolean isCancellable() {
        return true;
    }
}
