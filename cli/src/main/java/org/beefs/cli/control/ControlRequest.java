package org.beefs.cli.control;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.beefs.cli.state.WantedMount;
import org.beefs.honeybee.mount.Driver;
import org.beefs.honeybee.trace.TraceQuestion;
import org.jspecify.annotations.Nullable;

/**
 * What a tool asks of a daemon.
 *
 * @param operation what to do
 * @param path for mount and umount: where, absolute and without symbolic links
 * @param readOnly for mount: nothing can be changed through it
 * @param allowOther for mount: who mounts without root lets other users in
 * @param driver for mount: who serves it; null for the desktop's setting
 * @param millis for pause: how long; 0 to go on
 * @param api for a call of the REST interface: what is called
 * @param trace for trace: what is to be seen
 */
public record ControlRequest(
        Operation operation,
        @Nullable String path,
        boolean readOnly,
        boolean allowOther,
        @Nullable Driver driver,
        @Nullable Long millis,
        @Nullable ApiCall api,
        @Nullable TraceQuestion trace) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._@-]{1,64}");

    public ControlRequest {
        Objects.requireNonNull(operation, "operation");
    }

    /** What can be asked. */
    public enum Operation {
        /** What the daemon is and does. */
        STATUS,
        /** Mount the hive at the path, and remember it. */
        MOUNT,
        /** Unmount what is at the path, and forget it. */
        UMOUNT,
        /** Copy nothing to this desktop or from it for a while. */
        PAUSE,
        /** Compare this desktop's replicas with their checksums, beginning now. */
        SCRUB,
        /** Tell what programs ask of the mounts. */
        TRACE,
        /** Call the REST interface; only the queen-bee has one. */
        API,
        /** Stop cleanly; the answer comes before that. */
        STOP
    }

    /**
     * A call of the REST interface.
     *
     * @param path encoded
     * @param query decoded
     * @param body JSON; empty if there is none
     * @param sudoUser who has become root to call it, as sudo says; null if nobody has
     */
    public record ApiCall(
            String method,
            String path,
            Map<String, String> query,
            String body,
            @Nullable String sudoUser) {
        /**
         * Who calls, for people. Whoever is root may say anything here, and only he is asked.
         *
         * @param user of this machine, whom the kernel names
         */
        public String caller(String user) {
            return user.equals("root")
                            && sudoUser != null
                            && NAME.matcher(sudoUser).matches()
                    ? "%s (as root)".formatted(sudoUser)
                    : user;
        }
    }

    public static ControlRequest of(Operation operation) {
        return new ControlRequest(operation, null, false, false, null, null, null, null);
    }

    public static ControlRequest mount(WantedMount mount) {
        return new ControlRequest(
                Operation.MOUNT, mount.path(), mount.readOnly(), mount.allowOther(), mount.driver(), null, null, null);
    }

    public static ControlRequest umount(Path path) {
        return new ControlRequest(Operation.UMOUNT, path.toString(), false, false, null, null, null, null);
    }

    public static ControlRequest pause(Duration time) {
        return new ControlRequest(Operation.PAUSE, null, false, false, null, time.toMillis(), null, null);
    }

    public static ControlRequest api(ApiCall call) {
        return new ControlRequest(Operation.API, null, false, false, null, null, call, null);
    }

    public static ControlRequest trace(TraceQuestion question) {
        return new ControlRequest(Operation.TRACE, null, false, false, null, null, null, question);
    }
}
