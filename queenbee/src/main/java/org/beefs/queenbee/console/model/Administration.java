package org.beefs.queenbee.console.model;

import com.google.protobuf.ByteString;
import java.time.Duration;
import org.beefs.common.config.Durations;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.replica.ReplicationXattr;
import org.beefs.common.wire.ChangeReplication;
import org.beefs.common.wire.DeclareLost;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.common.wire.Drain;
import org.beefs.common.wire.Eject;
import org.beefs.common.wire.Forget;
import org.beefs.common.wire.Pause;
import org.beefs.common.wire.QueenRequest;
import org.beefs.queenbee.console.model.event.EventLog;
import org.beefs.queenbee.console.model.file.FileBrowser;
import org.beefs.queenbee.console.model.question.Questions;
import org.beefs.queenbee.console.model.snapshot.Rooms;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.session.DesktopConnection;
import org.beefs.queenbee.session.Session;
import org.beefs.queenbee.wake.Alarm;
import org.jspecify.annotations.Nullable;

/**
 * What administrators do to the hive. Each act is recorded with who did it, and fails as a {@link PosixException}: with
 * EINPROGRESS, and recorded too, if it was asked for and may be done yet. Not for the namespace thread. Thread-safe.
 */
public final class Administration {
    private static final Duration LONGEST_PAUSE = Duration.ofDays(365);

    private final Questions questions;
    private final EventLog events;
    private final FileBrowser files;
    private final Waking waking;
    private final Rooms rooms;
    private final Runnable show;

    /** @param show takes a new snapshot, because something was done */
    Administration(Questions questions, EventLog events, FileBrowser files, Rooms rooms, Alarm alarm, Runnable show) {
        this.questions = questions;
        this.events = events;
        this.files = files;
        this.rooms = rooms;
        this.waking = new Waking(questions, alarm);
        this.show = show;
    }

    /** As {@link Drain}. */
    public void drain(String desktop, boolean cancel, String who) {
        QueenRequest.Builder request = QueenRequest.newBuilder()
                .setDrain(Drain.newBuilder().setDesktop(desktop).setCancel(cancel));
        String text = desktop + (cancel ? " takes replicas again" : " is draining");
        act(() -> questions.act(request), desktop, text, who);
    }

    /** As {@link DeclareLost}. */
    public void declareLost(String desktop, String who) {
        QueenRequest.Builder request = QueenRequest.newBuilder()
                .setDeclareLost(DeclareLost.newBuilder().setDesktop(desktop));
        act(() -> questions.act(request), desktop, away(desktop) + " is declared lost", who);
    }

    /** As {@link Forget}; and nobody remembers in which room it was, unless it is there with another folder. */
    public void forget(String desktop, String who) {
        QueenRequest.Builder request =
                QueenRequest.newBuilder().setForget(Forget.newBuilder().setDesktop(desktop));
        act(() -> questions.act(request), desktop, away(desktop) + " is forgotten", who);
        boolean isThere = questions.ask(state -> state.sessions().ofDesktop(desktop) != null);
        if (!isThere && !rooms.of(desktop).isEmpty()) {
            rooms.set(desktop, null);
        }
    }

    /** Of a desktop that is there only what it had in another folder can be given up, and not the desktop. */
    private String away(String desktop) {
        return questions.ask(state -> state.honeycombs().isThere(desktop))
                ? "what " + desktop + " had in another folder"
                : desktop;
    }

    /** As {@link Eject}. */
    public void eject(String desktop, String who) {
        QueenRequest.Builder request =
                QueenRequest.newBuilder().setEject(Eject.newBuilder().setDesktop(desktop));
        String text = desktop + " is ejected: its locks are free and its files closed";
        act(() -> questions.act(request), desktop, text, who);
    }

    /** Wakes a desktop that is asleep, if it hears. */
    public void wake(String desktop, String who) {
        waking.wake(desktop);
        record(desktop, desktop + " is called to wake up", who);
    }

    /** Says in which room a desktop is; null for none. Answers what is so now, for people. */
    public String setRoom(String desktop, @Nullable String room, String who) {
        rooms.set(desktop, room);
        String kept = rooms.of(desktop);
        String text = desktop + (kept.isEmpty() ? " is in no room" : " is in room " + kept);
        record(desktop, text, who);
        return text;
    }

    /**
     * As {@link Pause}, which the desktop itself tells with its next heartbeat. Fails with ENODEV for one that is not
     * there.
     */
    public void pause(String desktop, Duration time, String who) {
        if (time.compareTo(LONGEST_PAUSE) > 0) {
            throw new PosixException(Errno.EINVAL, "a pause is at most a year");
        }
        DesktopConnection connection = questions.ask(state -> connection(state, desktop));
        DesktopRequest request = DesktopRequest.newBuilder()
                .setPause(Pause.newBuilder().setMillis(time.toMillis()))
                .build();
        String text = time.isZero() ? " is not paused any more" : " is paused for " + Durations.format(time);
        act(() -> questions.act(connection, request), desktop, desktop + text, who);
    }

    /**
     * Changes how a file is replicated, or what is made in a directory.
     *
     * @param setting replicas, time-to-coherence or p-factor
     * @param value null for the hive's
     */
    public void changeReplication(long inode, String setting, @Nullable String value, String who) {
        ChangeReplication.Builder change =
                ChangeReplication.newBuilder().setInode(inode).setName(ByteString.copyFromUtf8(attribute(setting)));
        if (value != null) {
            change.setValue(ByteString.copyFromUtf8(value));
        }
        QueenRequest.Builder request = QueenRequest.newBuilder().setChangeReplication(change);
        String path = files.of(inode).path();
        String text = value == null
                ? "%s of %s is as the hive has it".formatted(setting, path)
                : "%s of %s is %s".formatted(setting, path, value);
        act(() -> questions.act(request), null, text, who);
    }

    private static String attribute(String setting) {
        return switch (setting) {
            case "replicas" -> ReplicationXattr.REPLICAS;
            case "time-to-coherence" -> ReplicationXattr.TIME_TO_COHERENCE;
            case "p-factor" -> ReplicationXattr.P_FACTOR;
            default ->
                throw new PosixException(
                        Errno.EINVAL, "the settings of a file are replicas, time-to-coherence and p-factor");
        };
    }

    private static DesktopConnection connection(QueenState state, String desktop) {
        Session session = state.sessions().ofDesktop(desktop);
        DesktopConnection connection = session == null ? null : session.connection();
        if (connection == null) {
            throw new PosixException(Errno.ENODEV, desktop + " is not there now");
        }
        return connection;
    }

    /** @param text what is so when it is done */
    private void act(Runnable request, @Nullable String desktop, String text, String who) {
        try {
            request.run();
        } catch (PosixException e) {
            if (e.errno() == Errno.EINPROGRESS) {
                record(desktop, text + ": asked for, no answer yet", who);
            }
            throw e;
        }
        record(desktop, text, who);
    }

    private void record(@Nullable String desktop, String text, String who) {
        events.add("action", desktop, text, who);
        show.run();
    }
}
