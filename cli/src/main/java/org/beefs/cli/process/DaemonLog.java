package org.beefs.cli.process;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.beefs.cli.state.ProcessFolder;

/** Where to look for what a daemon tells. */
public final class DaemonLog {
    private static final Path PROC = Path.of("/proc");

    private DaemonLog() {}

    /**
     * For people: the log file of the daemon that runs there, if it writes one. In the foreground it does not, and
     * whoever has started it has its log, such as systemd. Not for that daemon itself: see {@link PidFile}.
     */
    public static String placeOf(ProcessFolder folder) {
        return place(
                folder,
                DaemonStopper.living(folder)
                        .filter(daemon -> hasOpen(daemon.pid(), folder.log()))
                        .isPresent());
    }

    /** Likewise for people, of this process, which runs in that folder. */
    public static String placeOfThisProcess(ProcessFolder folder) {
        return place(folder, hasOpen(ProcessHandle.current().pid(), folder.log()));
    }

    private static String place(ProcessFolder folder, boolean writesFile) {
        return writesFile ? folder.log().toString() : "its log (journalctl, or the terminal that it runs in)";
    }

    private static boolean hasOpen(long pid, Path file) {
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(PROC.resolve(pid + "/fd"))) {
            Path real = file.toRealPath();
            for (Path descriptor : descriptors) {
                if (leadsTo(descriptor, real)) {
                    return true;
                }
            }
            return false;
        } catch (IOException e) { // no such file, or it is not for this user to see
            return false;
        }
    }

    /** By its name only: some are in mounts, which may hang. */
    private static boolean leadsTo(Path descriptor, Path file) {
        try {
            return Files.readSymbolicLink(descriptor).equals(file);
        } catch (IOException e) { // it was closed meanwhile
            return false;
        }
    }
}
