package org.beefs.simulator.model;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Whether what clients saw can be explained by operations that happened one after the other, each step between its
 * asking and its answer.
 *
 * <p>Keeps every state the file system may be in, and for each which steps of the unanswered operations have happened
 * in it. An answer drops the states that contradict it. When none is left, the answers so far are wrong, whatever the
 * order was. Operations that ended without telling whether they were carried out stay among the unanswered until
 * {@link #settle}.
 */
public final class Linearizability {
    /** Possibilities that may be kept at a time: enough for six operations in flight, an end to runaway searches. */
    private static final int MAX_POSSIBILITIES = 200_000;

    /** Moments to look back to: more than answers come while an operation of a desktop is under way. */
    private static final int MAX_PAST = 100;

    private record Progress(List<Prediction> predictions) {
        static final Progress NONE = new Progress(List.of());
        static final Progress DONE = NONE.and(Prediction.succeeds(new Expected.Nothing()));

        Progress and(Prediction prediction) {
            List<Prediction> more = new ArrayList<>(predictions);
            more.add(prediction);
            return new Progress(more);
        }

        boolean finished(Operation operation) {
            return predictions.size() == operation.steps().size()
                    || (!predictions.isEmpty() && predictions.getLast().mustFail());
        }

        /** The node that one of the steps has found. */
        @Nullable
        Long found() {
            return predictions.stream()
                    .map(Prediction::success)
                    .filter(Expected.OfNode.class::isInstance)
                    .map(found -> ((Expected.OfNode) found).node())
                    .findFirst()
                    .orElse(null);
        }
    }

    private record Possibility(ModelState state, Map<Integer, Progress> unanswered) {
        Possibility copy() {
            return new Possibility(state.copy(), new TreeMap<>(unanswered));
        }
    }

    /** What was possible before an answer came, while operations of others went on. */
    private record Moment(int lastBegun, Map<Integer, Operation> unanswered, Set<Possibility> possibilities) {}

    private final Rules rules;
    /** The newest last; none from before the oldest operation that is under way. At most {@link #MAX_PAST}. */
    private final ArrayDeque<Moment> past = new ArrayDeque<>();

    private final Map<Integer, Operation> unanswered = new TreeMap<>();
    private final Set<Integer> abandoned = new HashSet<>();
    private Set<Possibility> possibilities = new LinkedHashSet<>();
    private int lastBegun;

    public Linearizability(ModelState initial, Rules rules) {
        this.rules = rules;
        possibilities.add(new Possibility(initial, new TreeMap<>()));
    }

    public void begin(int number, Operation operation) {
        unanswered.put(number, operation);
        lastBegun = number;
        possibilities.forEach(possibility -> possibility.unanswered().put(number, Progress.NONE));
        rehash();
    }

    /**
     * The operation may have been carried out, wholly or in part, or may still be; one that changes nothing is
     * forgotten.
     */
    public void abandon(int number) {
        if (operation(number).changes()) {
            abandoned.add(number);
        } else {
            unanswered.remove(number);
            possibilities.forEach(possibility -> possibility.unanswered().remove(number));
            rehash();
        }
    }

    /** Something goes wrong: from now on what is held back may come late, or be lost. */
    public void loosen() {
        Set<Integer> open = Set.copyOf(unanswered.keySet()); // of these it is open anyway
        Map<Integer, HeldWrite> held = new TreeMap<>();
        possibilities.forEach(
                possibility -> possibility.state().held().forEach(write -> held.put(write.operation(), write)));
        held.keySet().removeAll(open);
        if (held.isEmpty()) {
            return;
        }
        held.forEach((number, write) -> unanswered.put(number, write.late()));
        abandoned.addAll(held.keySet());
        Set<Possibility> loosened = new LinkedHashSet<>();
        for (Possibility possibility : possibilities) {
            Set<Integer> here = new TreeSet<>();
            possibility.state().held().forEach(write -> here.add(write.operation()));
            here.removeAll(open);
            for (Set<Integer> missing : subsets(here)) {
                Possibility next = possibility.copy();
                next.state().flush(missing, open);
                held.keySet()
                        .forEach(number -> next.unanswered()
                                .put(number, missing.contains(number) ? Progress.NONE : Progress.DONE));
                loosened.add(next);
            }
        }
        possibilities = loosened;
    }

    private static List<Set<Integer>> subsets(Set<Integer> all) {
        List<Set<Integer>> subsets = new ArrayList<>(List.of(Set.of()));
        for (Integer one : all) {
            for (Set<Integer> without : List.copyOf(subsets)) {
                Set<Integer> with = new HashSet<>(without);
                with.add(one);
                subsets.add(with);
            }
        }
        return subsets;
    }

    /** Somebody was told that these writes, which may have been held back, are where they belong. */
    public boolean flushed(List<Integer> writes) {
        for (int number : writes) {
            if (unanswered.containsKey(number)) {
                if (!answer(number, Answer.success(List.of(Expected.UNSEEN)))) {
                    return false;
                }
                abandoned.remove(number);
            }
        }
        return true;
    }

    /** Operations of which it is open whether they have happened, or will. */
    public int open() {
        return abandoned.size();
    }

    /** Nothing that was abandoned can happen any more, and what has neither name nor open is gone. */
    public void settle() {
        possibilities = reachable(possibilities, unanswered);
        unanswered.keySet().removeAll(abandoned);
        possibilities.forEach(possibility -> possibility.unanswered().keySet().removeAll(abandoned));
        abandoned.clear();
        past.clear();
        possibilities.forEach(possibility -> possibility.state().forgetUnlinked());
        rehash();
    }

    /** Takes an answer in; false when it contradicts everything that may have happened. */
    public boolean answer(int number, Answer answer) {
        Set<Possibility> fitting = new LinkedHashSet<>();
        Set<Possibility> met = new HashSet<>(possibilities);
        ArrayDeque<Possibility> open = new ArrayDeque<>(possibilities);
        while (!open.isEmpty()) {
            Possibility possibility = open.remove();
            Progress progress = possibility.unanswered().getOrDefault(number, Progress.NONE);
            if (progress.finished(operation(number))) {
                Possibility answered = possibility.copy();
                if (fits(progress, answer, answered.state())) {
                    answered.unanswered().remove(number);
                    fitting.add(answered);
                }
                continue;
            }
            for (Possibility next : successors(possibility, unanswered)) {
                if (met.add(next)) {
                    open.add(next);
                }
            }
            checkNumber(met);
        }
        if (fitting.isEmpty()) {
            return false;
        }
        remember();
        possibilities = fitting;
        unanswered.remove(number);
        return true;
    }

    private void remember() {
        past.add(new Moment(lastBegun, Map.copyOf(unanswered), possibilities));
        int oldest = unanswered.keySet().stream()
                .filter(number -> !abandoned.contains(number))
                .mapToInt(number -> number)
                .min()
                .orElse(Integer.MAX_VALUE);
        past.removeIf(moment -> moment.lastBegun() < oldest);
        if (past.size() > MAX_PAST) {
            past.remove();
        }
    }

    /**
     * Whether each step of an operation could have shown what was seen at some moment since another operation began.
     * Changes nothing: who may look back for an answer is up to the caller, who then {@linkplain #dismiss dismisses}
     * the operation.
     */
    public boolean wasRight(int number, Answer answer, int since) {
        Set<Possibility> known = reachable(possibilities, unanswered);
        past.stream()
                .filter(moment -> moment.lastBegun() >= since)
                .forEach(moment -> known.addAll(reachable(moment.possibilities(), moment.unanswered())));
        List<ModelState> states =
                known.stream().map(Possibility::state).distinct().toList();
        return wasRight(number, answer, Progress.NONE, states);
    }

    private boolean wasRight(int number, Answer answer, Progress progress, List<ModelState> states) {
        Operation operation = operation(number);
        int at = progress.predictions().size();
        if (at == operation.steps().size()) {
            return answer.error() == null;
        }
        Set<Progress> next = new LinkedHashSet<>();
        for (ModelState state : states) {
            ModelState copy = state.copy();
            Step.Call call = new Step.Call(number, rules, progress.found());
            Prediction prediction = operation.steps().get(at).run(copy, call);
            if (answer.error() != null && prediction.errors().contains(answer.error())) {
                return true;
            }
            Expected expected = prediction.success();
            if (expected != null
                    && (answer.error() != null
                            || expected.matches(copy, answer.seen().get(at)))) {
                next.add(progress.and(Prediction.succeeds(expected)));
            }
        }
        return next.stream().anyMatch(further -> wasRight(number, answer, further, states));
    }

    /** The operation has been answered and had no effect; false if others saw one. */
    public boolean dismiss(int number) {
        Set<Possibility> without = new LinkedHashSet<>();
        for (Possibility possibility : possibilities) {
            if (possibility.unanswered().getOrDefault(number, Progress.NONE).equals(Progress.NONE)) {
                Possibility dismissed = possibility.copy();
                dismissed.unanswered().remove(number);
                without.add(dismissed);
            }
        }
        if (without.isEmpty()) {
            return false;
        }
        remember();
        possibilities = without;
        unanswered.remove(number);
        return true;
    }

    private Set<Possibility> reachable(Set<Possibility> from, Map<Integer, Operation> operations) {
        Set<Possibility> reachable = new LinkedHashSet<>(from);
        ArrayDeque<Possibility> open = new ArrayDeque<>(from);
        while (!open.isEmpty()) {
            successors(open.remove(), operations).stream()
                    .filter(reachable::add)
                    .forEach(open::add);
            checkNumber(reachable);
        }
        return reachable;
    }

    private static void checkNumber(Set<Possibility> possibilities) {
        if (possibilities.size() > MAX_POSSIBILITIES) {
            throw new UndecidedException(MAX_POSSIBILITIES);
        }
    }

    private List<Possibility> successors(Possibility possibility, Map<Integer, Operation> operations) {
        List<Possibility> next = new ArrayList<>();
        possibility.unanswered().forEach((number, progress) -> {
            Operation operation = operations.get(number);
            if (operation != null && !progress.finished(operation)) {
                Possibility after = possibility.copy();
                Step step = operation.steps().get(progress.predictions().size());
                Step.Call call = new Step.Call(number, rules, progress.found());
                Prediction prediction = step.run(after.state(), call);
                if (prediction.success() != null) {
                    after.unanswered().put(number, progress.and(Prediction.succeeds(prediction.success())));
                    next.add(after);
                }
                if (!prediction.errors().isEmpty()) {
                    Possibility unchanged = possibility.copy();
                    unchanged.unanswered().put(number, progress.and(Prediction.fails(prediction.errors())));
                    next.add(unchanged);
                }
            }
        });
        return next;
    }

    private Operation operation(int number) {
        Operation operation = unanswered.get(number);
        if (operation == null) {
            throw new IllegalStateException("operation " + number + " is not in flight");
        }
        return operation;
    }

    private static boolean fits(Progress progress, Answer answer, ModelState state) {
        List<Prediction> predictions = progress.predictions();
        if (answer.error() != null) {
            return predictions.stream()
                    .anyMatch(prediction -> prediction.errors().contains(answer.error()));
        }
        if (answer.seen().size() < predictions.size() && predictions.getLast().mustFail()) {
            return false;
        }
        for (int i = 0; i < predictions.size(); i++) {
            Expected expected = predictions.get(i).success();
            if (expected == null || !expected.matches(state, answer.seen().get(i))) {
                return false;
            }
        }
        return true;
    }

    /** Something that happens now, outside of operations. */
    public void happen(Consumer<ModelState> event) {
        possibilities.forEach(possibility -> event.accept(possibility.state()));
        rehash();
    }

    /** States are changed in place only here and in {@link #begin}, so equal ones may have become more. */
    private void rehash() {
        possibilities = new LinkedHashSet<>(possibilities);
    }

    /** One of the states that the file system may be in. */
    public ModelState someState() {
        return possibilities.iterator().next().state();
    }

    /** All states that the file system may be in. */
    public List<ModelState> states() {
        return possibilities.stream().map(Possibility::state).toList();
    }

    /** What would have been right, for people. */
    public String explain(int number) {
        Set<String> predictions = new LinkedHashSet<>();
        for (Possibility possibility : possibilities) {
            Possibility at = possibility.copy();
            Operation operation = operation(number);
            Progress progress = at.unanswered().getOrDefault(number, Progress.NONE);
            while (!progress.finished(operation)) {
                Step step = operation.steps().get(progress.predictions().size());
                Step.Call call = new Step.Call(number, rules, progress.found());
                progress = progress.and(step.run(at.state(), call));
            }
            predictions.add(progress.predictions().toString());
            if (predictions.size() == 5) {
                break;
            }
        }
        return String.join("\n      or ", predictions);
    }
}
