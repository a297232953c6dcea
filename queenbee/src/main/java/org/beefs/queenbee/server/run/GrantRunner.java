package org.beefs.queenbee.server.run;

import java.util.ArrayList;
import java.util.List;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.common.wire.LocksGranted;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.server.request.Inbox;
import org.beefs.queenbee.session.DesktopConnection;
import org.beefs.queenbee.session.Session;

/**
 * Tells desktops which of their requests that waited for locks have got them. A desktop whose connection is gone asks
 * by itself when it registers. Belongs to the namespace thread.
 */
public final class GrantRunner {
    private record Unheard(Session session, DesktopConnection connection, List<Long> tickets, long change) {}

    private final QueenState state;
    private final Inbox inbox;
    private List<Unheard> unheard = new ArrayList<>();

    public GrantRunner(QueenState state, Inbox inbox) {
        this.state = state;
        this.inbox = inbox;
    }

    /** Sends what the pass has granted, behind its answers: one of these may say that the request waits. */
    public void send() {
        state.locks().takeGranted().forEach((number, tickets) -> {
            Session session = state.sessions().find(number);
            if (session != null && session.connection() != null) {
                send(new Unheard(
                        session, session.connection(), tickets, state.journal().applied()));
            }
        });
    }

    /** Sends again what was not answered over a connection that still stands. */
    public void retry() {
        List<Unheard> again = unheard;
        unheard = new ArrayList<>();
        for (Unheard grants : again) {
            if (grants.connection.equals(grants.session.connection())) {
                send(grants);
            }
        }
    }

    private void send(Unheard grants) {
        DesktopRequest request = DesktopRequest.newBuilder()
                .setLocksGranted(
                        LocksGranted.newBuilder().addAllTickets(grants.tickets).setChange(grants.change))
                .build();
        grants.connection.call(request, state.config().errandDeadline()).whenComplete((reply, failure) -> {
            if (failure != null) {
                inbox.post(() -> unheard.add(grants));
            }
        });
    }
}
