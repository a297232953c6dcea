package org.beefs.honeybee.jnr;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.beefs.common.posix.Errno;
import org.beefs.honeybee.mount.SystemMount;

/**
 * A mount on macOS or Windows, which this process cannot look up. Its end shows by the end of libfuse's session.
 *
 * @param point where it was mounted
 * @param byCommand whether umount(8) unmounts it; otherwise libfuse does when it ends
 * @param exit makes libfuse end its session
 */
record OtherMount(Path point, boolean byCommand, Runnable exit) implements SystemMount {
    private static final int PATIENCE_SECONDS = 10;

    @Override
    public boolean isPresent() {
        return true;
    }

    @Override
    public int unmount() {
        return byCommand ? umount("umount", point.toString()) : end();
    }

    @Override
    public int unmountByForce() {
        return byCommand ? umount("umount", "-f", point.toString()) : end();
    }

    @Override
    public void abort() {
        exit.run();
    }

    @Override
    public void release() {}

    private int end() {
        exit.run();
        return 0;
    }

    private static int umount(String... command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return -Errno.ETIMEDOUT.number();
            }
            return process.exitValue() == 0 ? 0 : -Errno.EBUSY.number();
        } catch (IOException missing) {
            return -Errno.EPERM.number();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return -Errno.EINTR.number();
        }
    }
}
