package org.beefs.queenbee.session;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A desktop daemon's registration. Belongs to the namespace thread. */
public final class Session {
    /** Mounts that are shown to people; no desktop needs so many. */
    static final int MOST_MOUNTS = 64;

    /** Characters of a path that Linux knows. */
    static final int LONGEST_MOUNT = 4096;

    static final int LONGEST_PROGRAM = 64;

    private final long number;
    private final String desktop;
    private final long process;
    private final Answers answers;
    private final Activity activity = new Activity();
    private final Removals removals = new Removals();
    private final Map<Long, OpenHandle> handles = new HashMap<>();
    private @Nullable DesktopConnection connection;
    private List<String> mounts = List.of();
    private Set<Integer> unreached = Set.of();
    private String program = "";
    private boolean returned;
    private long lastRegistration;
    private long heardNanos;

    Session(long number, String desktop, long process, long nowNanos) {
        this.number = number;
        this.desktop = desktop;
        this.process = process;
        answers = new Answers(number);
        heardNanos = nowNanos;
    }

    public long number() {
        return number;
    }

    public String desktop() {
        return desktop;
    }

    /** The daemon's number for its process. */
    public long process() {
        return process;
    }

    public Answers answers() {
        return answers;
    }

    /** The requests that it has made. */
    public Activity activity() {
        return activity;
    }

    /** Names that it has asked to be removed. */
    public Removals removals() {
        return removals;
    }

    /** Whether it has told that it has an inode open. */
    public boolean hasOpen(long inode) {
        return handles.values().stream().anyMatch(handle -> handle.inode() == inode);
    }

    /** Files it has open, by its own handles. Changed by whoever keeps the count of opens. */
    public Map<Long, OpenHandle> handles() {
        return handles;
    }

    /** The connection of its last registration; null while it has none. */
    public @Nullable DesktopConnection connection() {
        return connection;
    }

    /** Whether it has registered since the queen-bee's start. */
    public boolean hasReturned() {
        return returned;
    }

    /** The highest number of a registration since the queen-bee's start; connections from before it are gone. */
    public long lastRegistration() {
        return lastRegistration;
    }

    public List<String> mounts() {
        return mounts;
    }

    /** Keeps of them what can be mounts, and as many as are shown. */
    public void setMounts(List<String> mounts) {
        this.mounts = mounts.stream()
                .filter(mount -> mount.length() <= LONGEST_MOUNT)
                .limit(MOST_MOUNTS)
                .toList();
    }

    /** Numbers of the honeycombs that it has not reached when it wanted content there. */
    public Set<Integer> unreached() {
        return unreached;
    }

    public void setUnreached(Set<Integer> honeycombs) {
        unreached = honeycombs;
    }

    /** Version of the daemon's program; empty until it has registered. */
    public String program() {
        return program;
    }

    public void setProgram(String version) {
        program = version.substring(0, Math.min(version.length(), LONGEST_PROGRAM));
    }

    /** When it was last heard, by the boot clock. */
    public long heardNanos() {
        return heardNanos;
    }

    public void heard(long nowNanos) {
        heardNanos = nowNanos;
    }

    void registered(DesktopConnection from, long registration, long nowNanos) {
        connection = from;
        lastRegistration = Math.max(lastRegistration, registration);
        returned = true;
        heardNanos = nowNanos;
    }

    /** A connection has broken. False when the session already has a newer one. */
    public boolean disconnected(DesktopConnection broken) {
        if (!broken.equals(connection)) {
            return false;
        }
        connection = null;
        return true;
    }
}
