package org.beefs.simulator.client;

import org.beefs.simulator.kernel.Trust;
import org.beefs.simulator.model.Answer;
import org.jspecify.annotations.Nullable;

/**
 * Why an answer may show what was true a while ago. There are three reasons, and all concern only what the kernel
 * remembered, and answers that changed nothing:
 *
 * <ul>
 *   <li>the daemon was stopped or asleep, so that nobody could tell the kernel to forget;
 *   <li>the kernel was told to forget while it asked for a file's size, and read up to where the file had ended
 *       (docs/decisions/kernel-caches.md);
 *   <li>another operation of the same desktop was under way: whoever makes a change may see the old state until it is
 *       answered.
 * </ul>
 *
 * @param trust what the operation took from memory
 * @param oldest the oldest other operation of the desktop that was under way when this one began
 */
record Excuse(Request request, Trust trust, @Nullable Integer oldest) {
    boolean covers(Answer answer) {
        return trust.isRemembered() && (answer.error() != null || request.looks() || request.reads());
    }
}
