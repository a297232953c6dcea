package org.beefs.integration.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.jspecify.annotations.Nullable;

/**
 * Another user, as whom a thread of this process asks the file system (setfsuid(2)). To the kernel that is as if the
 * user's own program asked: with his id go root's rights over files.
 */
public record Identity(int user, int group, List<Integer> groups) {
    private static final SystemCall SETFSUID = SystemCall.ofInt("setfsuid", JAVA_INT);
    private static final SystemCall SETFSGID = SystemCall.ofInt("setfsgid", JAVA_INT);
    /** The C library's setgroups would change all threads. */
    private static final SystemCall SETGROUPS = SystemCall.ofLong("syscall", JAVA_LONG, JAVA_LONG, ADDRESS);

    private static final long SYS_SETGROUPS = System.getProperty("os.arch").equals("aarch64") ? 159 : 116;

    public static Identity of(int user, int group, Integer... groups) {
        return new Identity(user, group, List.of(groups));
    }

    /** Runs it in a thread of this user; what it throws is thrown here. */
    public void run(Runnable work) {
        FutureTask<Boolean> task = new FutureTask<>(() -> {
            become();
            work.run();
            return true;
        });
        Thread.ofPlatform().name("user-" + user).start(task);
        try {
            task.get();
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case RuntimeException thrown -> throw thrown;
                case Error thrown -> throw thrown;
                case null, default -> throw new IllegalStateException(e);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The errno with which it fails for this user; null when it does not. */
    public @Nullable Errno errnoOf(Runnable work) {
        try {
            run(work);
            return null;
        } catch (PosixException e) {
            return e.errno();
        }
    }

    private void become() {
        try (Arena arena = Arena.ofConfined()) {
            SETGROUPS.call(
                    SYS_SETGROUPS,
                    (long) groups.size(),
                    arena.allocateFrom(
                            JAVA_INT,
                            groups.stream().mapToInt(Integer::intValue).toArray()));
        }
        SETFSGID.call(group);
        SETFSUID.call(user);
    }
}
