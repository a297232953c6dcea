package org.beefs.simulator.client;

import java.util.concurrent.TimeUnit;
import org.beefs.common.posix.Errno;
import org.beefs.simulator.kernel.Trust;
import org.beefs.simulator.model.Answer;
import org.jspecify.annotations.Nullable;

/**
 * Why an answer may be wrong. It may show what was true a while ago, for three reasons, which concern only what the
 * kernel remembered, and answers that changed nothing:
 *
 * <ul>
 *   <li>the daemon was stopped or asleep, so that nobody could tell the kernel to forget;
 *   <li>the kernel was told to forget while it asked for a file's size, and read up to where the file had ended
 *       (docs/decisions/kernel-caches.md);
 *   <li>another operation of the same desktop was under way: whoever makes a change may see the old state until it is
 *       answered.
 * </ul>
 *
 * <p>And a change may have been decided by a desktop that was silent then for so long that others went on: what has
 * lost its place meanwhile gets another name, and what others have changed stays (docs/decisions/delegations.md). What
 * it held back of a file that others have used since is given up, and whoever wrote it is told
 * (docs/decisions/remote-pages.md).
 *
 * @param trust what the operation took from memory
 * @param oldest the oldest other operation of the desktop that was under way when this one began
 * @param unheard for how long the hive did not have what the program had been told, in nanoseconds
 */
record Excuse(Request request, Trust trust, @Nullable Integer oldest, long unheard) {
    /** So long others wait for a desktop that is silent. */
    private static final long SILENCE = TimeUnit.SECONDS.toNanos(5);

    boolean covers(Answer answer) {
        return trust.isRemembered() && (answer.error() != null || request.looks() || request.reads());
    }

    /** Whether the operation may tell that others have used a file, and what its desktop held back was given up. */
    boolean coversLoss(Errno errno) {
        return request.tellsOfLoss() && errno == Errno.EIO;
    }

    /** Whether others may have gone on before the hive heard of the change. */
    boolean coversLateness(Answer answer) {
        return unheard >= SILENCE && answer.error() == null && request.changes();
    }
}
