package org.beefs.integration.walk;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.beefs.integration.linux.Posix;

/**
 * A random walk of operations over several mounts of the same folder. Each operation goes through a random mount; its result must
 * be the model's, and what it touched must look like the model through another mount in the next call. One seed always gives the
 * same walk, as long as nothing differs. The folder is empty at the beginning; it and the one that holds it belong to the walk.
 * For one thread.
 */
public final class Walk implements AutoCloseable {
    private static final int REMEMBERED = 40;
    private static final int OPERATIONS_BETWEEN_FULL_LOOKS = 2_500;

    private final long seed;
    private final List<Mount> mounts;
    private final RandomGenerator random;
    private final NameOperations names;
    private final AttributeOperations attributes;
    private final ContentOperations contents;
    private final HandleOperations handles;
    private final Inspector inspector;
    private final Deque<String> history = new ArrayDeque<>();
    private int count;

    public Walk(long seed, List<Mount> mounts) {
        this.seed = seed;
        this.mounts = List.copyOf(mounts);
        this.random = new SplittableRandom(seed);
        Model model = new Model();
        Paths paths = new Paths(random, model.tree);
        names = new NameOperations(random, model, paths);
        attributes = new AttributeOperations(random, model, paths);
        contents = new ContentOperations(random, model, paths);
        handles = new HandleOperations(random, model, paths);
        inspector = new Inspector(model);
        Posix.umask(Model.UMASK);
    }

    /** Goes so many steps, with a look at everything now and then, and at the end through every mount. */
    public void go(int steps) {
        try {
            for (int step = 1; step <= steps; step++) {
                step();
                if (step % OPERATIONS_BETWEEN_FULL_LOOKS == 0) {
                    inspector.lookAtAll(anyMount());
                }
            }
            mounts.forEach(inspector::lookAtAll);
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(report(e), e);
        }
    }

    @Override
    public void close() {
        handles.close();
    }

    private void step() {
        Mount acting = anyMount();
        Operation operation = choose(acting);
        Object predicted = Operation.outcome(operation.predicted());
        remember(acting.name() + ": " + operation.text() + " = " + predicted);
        Object performed = Operation.outcome(operation.performed());
        if (!predicted.equals(performed)) {
            throw new AssertionError("expected " + predicted + ", found " + performed);
        }
        Mount observer = anyMount();
        operation.touched().get().forEach(path -> inspector.look(observer, path));
    }

    private Operation choose(Mount mount) {
        return switch (random.nextInt(10)) {
            case 0, 1, 2 -> names.next(mount);
            case 3, 4 -> attributes.next(mount);
            case 5, 6 -> contents.next(mount);
            default -> handles.next(mount);
        };
    }

    private Mount anyMount() {
        return mounts.get(random.nextInt(mounts.size()));
    }

    private void remember(String line) {
        history.addLast(++count + " " + Paths.readable(line));
        if (history.size() > REMEMBERED) {
            history.removeFirst();
        }
    }

    private String report(Throwable failure) {
        return "walk with seed %d failed at operation %d: %s%nThe last operations:%n%s"
                .formatted(seed, count, failure.getMessage(), String.join("\n", history));
    }
}
