package org.beefs.queenbee.session;

import com.google.protobuf.CodedInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.beefs.common.time.Clock;
import org.beefs.common.wire.QueenReply;
import org.beefs.queenbee.journal.Journal;
import org.beefs.queenbee.journal.Numbering;
import org.beefs.queenbee.journal.StateKey;
import org.beefs.queenbee.state.SessionRecord;
import org.jspecify.annotations.Nullable;

/**
 * All sessions, at most one for a desktop. Persisted, so that they outlive the queen-bee. Belongs to the namespace
 * thread.
 */
public final class Sessions {
    private final Clock clock;
    private final Duration lease;
    private final Map<Long, Session> byNumber = new LinkedHashMap<>();
    private final Map<String, Session> byDesktop = new LinkedHashMap<>();
    private final FormerDecisions decisions = new FormerDecisions();
    private final Endings endings = new Endings();
    private long lastNumber;

    /** Sessions from before the queen-bee's start that have not come back yet. */
    private int awaited;

    /** Whether there may have been further ones, until the lease of these is over. */
    private boolean someUnknown;

    private long startNanos;

    /** @param someUnknown whether it is not known which sessions there were before the queen-bee's start */
    public Sessions(Clock clock, Duration lease, boolean someUnknown) {
        this.clock = clock;
        this.lease = lease;
        this.someUnknown = someUnknown;
        this.startNanos = clock.bootNanos();
    }

    /** The queen-bee begins to serve: who comes back can do so from now on. */
    public void beginServing() {
        startNanos = clock.bootNanos();
        forgiveSilence();
    }

    public @Nullable Session find(long number) {
        return byNumber.get(number);
    }

    public @Nullable Session ofDesktop(String desktop) {
        return byDesktop.get(desktop);
    }

    public Collection<Session> all() {
        return Collections.unmodifiableCollection(byNumber.values());
    }

    public int size() {
        return byNumber.size();
    }

    /** Changes that desktops had decided in sessions that have ended. */
    public FormerDecisions decisions() {
        return decisions;
    }

    /** Begins the session of a desktop that has none. */
    public Session begin(String desktop, long process, Numbering numbering, Journal journal) {
        lastNumber = numbering.after(lastNumber);
        Session session = new Session(lastNumber, desktop, process, clock.bootNanos());
        add(session);
        awaited++;
        SessionRecord record = SessionRecord.newBuilder()
                .setDesktop(desktop)
                .setProcess(process)
                .build();
        journal.batch().put(StateKey.session(session.number()), () -> record);
        journal.advance();
        return session;
    }

    /** A daemon has registered, over this connection. */
    public void registered(Session session, DesktopConnection connection, long registration) {
        awaited -= session.hasReturned() ? 0 : 1;
        session.registered(connection, registration, clock.bootNanos());
    }

    /** Why a session has ended; empty when that is not known, as after a start of the queen-bee. */
    public String whyEnded(long number) {
        return endings.why(number);
    }

    /** Ends a session whose handles were released. */
    public void end(Session session, String why, Journal journal) {
        if (!session.handles().isEmpty()) {
            throw new IllegalStateException("session " + session.number() + " still has files open");
        }
        awaited -= session.hasReturned() ? 0 : 1;
        byNumber.remove(session.number());
        byDesktop.remove(session.desktop(), session);
        endings.add(session.number(), why);
        session.answers().forgetAll(journal.batch(), decisions);
        journal.batch().delete(StateKey.session(session.number()));
        journal.advance();
    }

    /** Whether some session from before the queen-bee's start may still come back with what it had open. */
    public boolean areSomeAwaited() {
        return awaited > 0 || areSomeUnknown();
    }

    /**
     * Whether there may have been sessions before the start of which nothing is known, and that may still come back.
     */
    public boolean areSomeUnknown() {
        someUnknown &= clock.bootNanos() - startNanos <= lease.toNanos();
        return someUnknown;
    }

    /** Sessions that were silent for longer than the lease. */
    public List<Session> expired() {
        return byNumber.values().stream()
                .filter(session -> silent(session) > lease.toNanos())
                .toList();
    }

    /** Counts the silence of all from now: the queen-bee itself could not hear for a while. */
    public void forgiveSilence() {
        byNumber.values().forEach(session -> session.heard(clock.bootNanos()));
    }

    /** The session that a connection belongs to, if it is still the newest one of it. */
    public Optional<Session> on(DesktopConnection connection) {
        return byNumber.values().stream()
                .filter(session -> connection.equals(session.connection()))
                .findFirst();
    }

    /** Nanoseconds since the session was last heard. */
    public long silent(Session session) {
        return clock.bootNanos() - session.heardNanos();
    }

    public void load(long number, CodedInputStream encoded) throws IOException {
        SessionRecord record = SessionRecord.parseFrom(encoded);
        add(new Session(number, record.getDesktop(), record.getProcess(), clock.bootNanos()));
        awaited++;
        lastNumber = Math.max(lastNumber, number);
    }

    public void loadAnswer(long number, long sequence, CodedInputStream encoded) throws IOException {
        Session session = byNumber.get(number);
        if (session == null) {
            throw new IllegalStateException("an answer belongs to the missing session " + number);
        }
        session.answers().load(sequence, QueenReply.parseFrom(encoded));
    }

    private void add(Session session) {
        byNumber.put(session.number(), session);
        byDesktop.put(session.desktop(), session);
    }
}
