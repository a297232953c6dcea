package org.beefs.simulator.client;

import java.util.ArrayDeque;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.posix.PosixException;
import org.beefs.simulator.model.Answer;
import org.beefs.simulator.model.Breach;
import org.beefs.simulator.model.Invariant;
import org.beefs.simulator.model.Linearizability;
import org.beefs.simulator.model.ModelState;
import org.beefs.simulator.model.Operation;
import org.beefs.simulator.model.Rules;
import org.beefs.simulator.world.SimScheduler;
import org.jspecify.annotations.Nullable;

/**
 * All that the clients of a run asked and were answered, checked as it comes in. Remembers the first thing that is
 * wrong; whoever drives the world looks for it.
 */
public final class History {
    /** Errors that do not tell whether the operation was carried out. */
    private static final Set<Errno> AMBIGUOUS = EnumSet.of(Errno.EIO, Errno.ETIMEDOUT, Errno.ENOTCONN, Errno.ENOSPC);

    /** Operations that may or may not have happened: each multiplies what must be thought of. */
    private static final int MOST_OPEN = 5;

    /** Lines kept for the report of a failure. */
    private static final int MAX_TRACE = 250;

    private final SimScheduler scheduler;
    private final Linearizability states;
    private boolean mayFail;
    private final boolean printing;
    private final ArrayDeque<String> trace = new ArrayDeque<>();
    private int lastNumber = 1000;
    private long digest;
    private int answers;
    private int ambiguous;
    private @Nullable Breach breach;
    private @Nullable RuntimeException thrown;
    private LongConsumer syncListener = inode -> {};

    /** @param mayFail whether faults are so bad that an operation may fail for no reason of its own */
    public History(SimScheduler scheduler, ModelState initial, Rules rules, boolean mayFail, boolean printing) {
        this.scheduler = scheduler;
        this.states = new Linearizability(initial, rules);
        this.mayFail = mayFail;
        this.printing = printing;
    }

    int begin(String client, Request request) {
        int number = ++lastNumber;
        note("%s #%d asks %s".formatted(client, number, request.description()));
        states.begin(number, new Operation(request.description(), request.steps(), request.changes()));
        return number;
    }

    /** Now, in nanoseconds. */
    long now() {
        return scheduler.now();
    }

    /** Whether the operation succeeded, and is what it seemed. */
    boolean end(String client, int number, @Nullable List<Object> seen, @Nullable Throwable thrown, Excuse excuse) {
        answers++;
        if (thrown == null && seen != null) {
            note("%s #%d: %s".formatted(client, number, Shown.of(List.copyOf(new LinkedHashSet<>(seen)))));
            return check(number, Answer.success(seen), excuse);
        }
        @Nullable Throwable cause = thrown == null ? null : Failures.unwrap(thrown);
        note("%s #%d fails: %s".formatted(client, number, cause));
        if (!(cause instanceof PosixException posix)) {
            fail(Invariant.POSIX, "operation #%d failed with what is no errno: %s".formatted(number, cause));
        } else if (mayFail ? AMBIGUOUS.contains(posix.errno()) : excuse.coversLoss(posix.errno())) {
            ambiguous++;
            states.abandon(number);
        } else {
            check(number, Answer.failure(posix.errno()), excuse);
        }
        return false;
    }

    /** False when the answer does not tell what has become of the operation. */
    private boolean check(int number, Answer answer, Excuse excuse) {
        if (breach != null || states.answer(number, answer)) {
            return true;
        }
        if (mayFail && excuse.coversLateness(answer)) {
            note("#%d came late, and others may have its place".formatted(number));
            states.abandon(number);
            return false;
        }
        if (!excuse.covers(answer) || !isExcused(number, answer, excuse)) {
            fail(
                    excuse.request().rule(),
                    "the answer of #%d is wrong; right would be\n         %s"
                            .formatted(number, states.explain(number)));
        }
        return true;
    }

    private boolean isExcused(int number, Answer answer, Excuse excuse) {
        Integer oldest = excuse.oldest();
        boolean wasRight = oldest != null && states.wasRight(number, answer, oldest);
        if ((wasRight || excuse.trust().mayBeOld()) && states.dismiss(number)) {
            note("#%d shows what was true a while ago, and may".formatted(number));
            return true;
        }
        return false;
    }

    /**
     * As {@link CompletableFuture#whenComplete}; but what the action throws is not lost with a future that nobody looks
     * at: {@link #rethrow} throws it.
     */
    <T> void whenDone(CompletableFuture<T> future, BiConsumer<@Nullable T, @Nullable Throwable> action) {
        future.whenComplete((result, failed) -> {
            try {
                action.accept(result, failed);
            } catch (RuntimeException e) {
                thrown = thrown == null ? e : thrown;
            }
        });
    }

    /** For whoever drives the world: throws what the checking of an answer has thrown. */
    public void rethrow() {
        if (thrown != null) {
            throw thrown;
        }
    }

    /** Who hears of each sync that was answered; see {@link Request#synced}. */
    public void onSync(LongConsumer listener) {
        syncListener = listener;
    }

    void synced(long inode) {
        syncListener.accept(inode);
    }

    /** All faults are over, and the hive has had time to put everything in order: no operation fails for them. */
    public void expectNoFaults() {
        mayFail = false;
    }

    /** Whether an operation may fail for no reason of its own. */
    boolean mayFail() {
        return mayFail;
    }

    /** Something goes wrong, so that what is held back may come late or be lost. */
    void loosen() {
        states.loosen();
    }

    /** These writes are where they belong, as somebody was told. */
    void flushed(List<Integer> writes) {
        if (breach == null && !states.flushed(writes)) {
            fail(Invariant.SYNCED_SURVIVES, "of the writes %s some were lost, and nobody was told".formatted(writes));
        }
    }

    /** How many operations have been answered. */
    public int answers() {
        return answers;
    }

    /** Of how many of these the answer does not tell whether they were carried out. */
    public int ambiguous() {
        return ambiguous;
    }

    /** Whether so much is open that the next operations must wait until all is calm. */
    public boolean isCrowded() {
        return states.open() > MOST_OPEN;
    }

    /** Nobody waits for the answer any more. */
    void abandon(int number) {
        states.abandon(number);
    }

    /** Something happens outside of operations. */
    public void happen(Consumer<ModelState> event) {
        states.happen(event);
    }

    /** Whatever was abandoned has happened by now or never will. */
    public void settle() {
        states.settle();
    }

    /** A state that the hive may be in. */
    public ModelState state() {
        return states.someState();
    }

    /** All states that the hive may be in. */
    List<ModelState> states() {
        return states.states();
    }

    /** Adds a line to the trace. */
    public void note(String line) {
        String stamped = "%12.6f %s".formatted(scheduler.now() / 1e9, line);
        digest = digest * 31 + stamped.hashCode();
        if (trace.size() == MAX_TRACE) {
            trace.remove();
        }
        trace.add(stamped);
        if (printing) {
            System.out.println(stamped);
        }
    }

    /** A number that is the same when everything noted was the same. */
    public long digest() {
        return digest;
    }

    public void fail(Invariant broken, String how) {
        fail(new Breach(broken, how));
    }

    public void fail(Breach found) {
        note("FAILURE: " + found);
        if (breach == null) {
            breach = found;
        }
    }

    /** What is wrong, or null. */
    public @Nullable Breach breach() {
        return breach;
    }

    /** The last lines of what happened. */
    public String trace() {
        return String.join("\n", trace);
    }
}
