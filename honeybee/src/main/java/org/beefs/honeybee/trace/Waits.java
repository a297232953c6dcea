package org.beefs.honeybee.trace;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.beefs.common.config.ByteSize;
import org.beefs.common.rpc.ProtocolBounds;
import org.beefs.common.wire.ExplainWaits;
import org.beefs.common.wire.ExplainedWait;
import org.beefs.common.wire.ExplainedWaits;
import org.beefs.honeybee.data.Honeycombs;
import org.beefs.honeybee.queen.QueenSession;
import org.beefs.honeybee.trace.Wait.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Finds out what calls wait for, by asking those who know what they have under way. So nothing is noted while nobody
 * asks. Thread-safe.
 */
public final class Waits {
    private final QueenSession session;
    private final Honeycombs honeycombs;
    private final Consumer<LongConsumer> disk;

    /** @param disk shows the ids of the requests that wait for this desktop's own disk */
    public Waits(QueenSession session, Honeycombs honeycombs, Consumer<LongConsumer> disk) {
        this.session = session;
        this.honeycombs = honeycombs;
        this.disk = disk;
    }

    /**
     * Notes in each call what it waits for. Done when the queen-bee has said what she knows, or does not answer; never
     * fails.
     */
    CompletableFuture<Void> explain(Collection<Call> calls) {
        if (calls.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        Snapshot snapshot = new Snapshot();
        ExplainWaits question = snapshot.question(calls);
        if (question.getRequestsCount() + question.getTicketsCount() == 0) {
            calls.forEach(call -> call.setWaits(snapshot.of(call, null)));
            return CompletableFuture.completedFuture(null);
        }
        return session.explain(question).handle((explained, failure) -> {
            calls.forEach(call -> call.setWaits(snapshot.of(call, explained)));
            return null;
        });
    }

    /** The waits of all requests at one moment, by the ids of requests. */
    private final class Snapshot {
        private final Map<Long, List<Wait>> found = new HashMap<>();
        private final Map<Long, Wait> asking = new HashMap<>();
        private final Map<Long, Long> tickets = new HashMap<>();

        Snapshot() {
            session.forEachQueued(
                    id -> add(id, Kind.TURN, "its turn, because many changes of this desktop are under way"));
            session.forEachAsking((id, connected) -> {
                if (connected) {
                    asking.put(id, new Wait(Kind.QUEEN_BEE, "the queen-bee"));
                } else {
                    add(id, Kind.CONNECTION, "a connection with the queen-bee" + why(session.trouble()));
                }
            });
            session.forEachLocking(tickets::put);
            honeycombs
                    .connections()
                    .forEach(connection -> connection.forEachWaiting((id, connected) -> {
                        if (connected) {
                            add(id, Kind.HONEYCOMB, connection.peer());
                        } else {
                            add(
                                    id,
                                    Kind.CONNECTION,
                                    "a connection with " + connection.peer() + why(connection.trouble()));
                        }
                    }));
            disk.accept(id -> add(id, Kind.DISK, "this desktop's own disk or processors"));
        }

        ExplainWaits question(Collection<Call> calls) {
            ExplainWaits.Builder question = ExplainWaits.newBuilder();
            for (Call call : calls) {
                Long ticket = tickets.get(call.id());
                if (question.getRequestsCount() + question.getTicketsCount() >= ProtocolBounds.EXPLAINED_WAITS) {
                    break;
                } else if (asking.containsKey(call.id())) {
                    question.addRequests(call.id());
                } else if (ticket != null) {
                    question.addTickets(ticket);
                }
            }
            return question.build();
        }

        /** @param explained what the queen-bee has said; null when she has not */
        List<Wait> of(Call call, @Nullable ExplainedWaits explained) {
            List<Wait> waits = new ArrayList<>(found.getOrDefault(call.id(), List.of()));
            Long ticket = tickets.get(call.id());
            if (asking.containsKey(call.id())) {
                waits.add(new Wait(Kind.QUEEN_BEE, "the queen-bee" + ofRequest(call.id(), explained)));
            } else if (ticket != null) {
                waits.add(new Wait(Kind.LOCK, ofTicket(ticket, explained)));
            }
            return waits.isEmpty() ? List.of(guess(call)) : waits;
        }

        private String ofRequest(long request, @Nullable ExplainedWaits explained) {
            if (explained == null) {
                return ", who does not answer";
            }
            String reasons = explained.getWaitsList().stream()
                    .filter(wait -> wait.getRequest() == request)
                    .map(ExplainedWait::getReason)
                    .collect(Collectors.joining(", and for "));
            return reasons.isEmpty() ? ", who has not had the time yet" : ", who waits for " + reasons;
        }

        private static String ofTicket(long ticket, @Nullable ExplainedWaits explained) {
            if (explained == null) {
                return "a lock that another has; the queen-bee, who knows, does not answer";
            }
            return explained.getWaitsList().stream()
                    .filter(wait -> wait.getTicket() == ticket)
                    .map(ExplainedWait::getReason)
                    .findFirst()
                    .orElse("a lock");
        }

        private void add(long id, Kind kind, String text) {
            found.computeIfAbsent(id, unknown -> new ArrayList<>()).add(new Wait(kind, text));
        }
    }

    /** What a call waits for that nobody knows: there is nothing under way in its own name. */
    private Wait guess(Call call) {
        int behind = honeycombs.writeBehind().bytes(call.inode());
        if (call.isInThread()) {
            return new Wait(Kind.DISK, "this desktop's own disk or processors");
        } else if (behind > 0) {
            return new Wait(
                    Kind.WRITE_BEHIND,
                    "%s that was written behind, and is on its way to the honeycomb".formatted(new ByteSize(behind)));
        } else if (!session.isConnected()) {
            return new Wait(Kind.CONNECTION, "a connection with the queen-bee" + why(session.trouble()));
        }
        return new Wait(Kind.UNKNOWN, "something in this daemon");
    }

    private static String why(String trouble) {
        return trouble.isEmpty() ? "" : " (%s)".formatted(trouble);
    }
}
