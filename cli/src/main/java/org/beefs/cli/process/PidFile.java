package org.beefs.cli.process;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.LinkOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.state.ProcessFolder;
import org.beefs.cli.state.Reasons;
import org.jspecify.annotations.Nullable;

/**
 * A daemon's hold on its folder: the file says who it is, and is locked while it lives, so that no second one starts
 * there. A daemon must not open its own file again, not even to read it: the kernel drops a process's lock when that
 * process closes any descriptor of the file (fcntl(2)).
 */
public final class PidFile implements AutoCloseable {
    /** Of a former text, so that no one ever reads a new number with the end of an old text. */
    private static final int LONGEST = 4096;

    private final FileChannel channel;

    private PidFile(FileChannel channel) {
        this.channel = channel;
    }

    /** Takes the folder for this process. */
    public static PidFile take(ProcessFolder folder) {
        FileChannel channel = null;
        try {
            channel = FileChannel.open(
                    folder.pid(), StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
            if (lock(channel) == null) {
                channel.close();
                throw new CommandFailure(
                        ExitCode.FOLDER, folder.name() + " already runs on the folder " + folder.path());
            }
            write(channel, ProcessIdentity.current() + "\n");
            return new PidFile(channel);
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.FOLDER, "cannot use " + folder.pid() + ": " + Reasons.of(e));
        }
    }

    /** In place of what is there, and shortened only then: that takes no room on a disk that has none. */
    private static void write(FileChannel channel, String identity) throws IOException {
        byte[] text = identity.getBytes(StandardCharsets.US_ASCII);
        byte[] padded = Arrays.copyOf(text, (int) Math.max(text.length, Math.min(channel.size(), LONGEST)));
        Arrays.fill(padded, text.length, padded.length, (byte) ' ');
        channel.write(ByteBuffer.wrap(padded), 0);
        channel.truncate(text.length);
    }

    private static @Nullable FileLock lock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    /** Lets go. The file stays: removing it could take away another process's. */
    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
