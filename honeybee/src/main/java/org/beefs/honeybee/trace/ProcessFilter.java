package org.beefs.honeybee.trace;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The calls of a process and all its threads: the kernel names threads only. */
final class ProcessFilter implements Filter {
    /** Threads that are remembered; those of others are looked for each time. */
    private static final int MOST = 4096;

    private final int process;
    private final Path threads;
    private final Set<Integer> known = ConcurrentHashMap.newKeySet();

    ProcessFilter(Path proc, int process) {
        this.process = process;
        this.threads = proc.resolve(Integer.toString(process)).resolve("task");
    }

    @Override
    public boolean concerns(Call call) {
        int thread = call.thread();
        if (thread == process || known.contains(thread)) {
            return true;
        }
        boolean mine = thread != 0 && Files.exists(threads.resolve(Integer.toString(thread)));
        if (mine && known.size() < MOST) {
            known.add(thread);
        }
        return mine;
    }
}
