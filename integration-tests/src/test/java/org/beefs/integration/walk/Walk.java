package org.beefs.integration.walk;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.beefs.integration.linux.Posix;

/**
 * A random walk of operations over several mounts of the same folder. Each operation goes through a random mount; its
 * result must be the model's. After most operations all mounts must show like the model what it named or changed; some
 * are followed by the next one at once, because a look also brings a mount up to date. Now and then a mount must show
 * everything like the model. One seed always gives the same walk, as long as nothing differs. The folder is empty at
 * the beginning; it and the one that holds it belong to the walk. For one thread.
 */
public final class Walk implements AutoCloseable {
    private static final int REMEMBERED = 40;

    /** How many operations lie between looks at everything: with 1, the operation that did harm is the last one. */
    private static final int BETWEEN_FULL_LOOKS = Integer.getInteger("beefs.look", 1_000);

    private final long seed;
    private final List<View> roots;
    private final RandomGenerator random;
    private final NameOperations names;
    private final AttributeOperations attributes;
    private final ContentOperations contents;
    private final HandleOperations handles;
    private final MappingOperations mappings;
    private final Changes changes;
    private final Inspector inspector;
    private final Deque<String> history = new ArrayDeque<>();
    private int count;

    public Walk(long seed, List<Mount> mounts) {
        this.seed = seed;
        this.roots = new ArrayList<>(mounts.stream().map(View::of).toList());
        this.random = new SplittableRandom(seed);
        Model model = new Model();
        Paths paths = new Paths(random, model.tree);
        names = new NameOperations(random, model, paths);
        attributes = new AttributeOperations(random, model.tree, paths);
        contents = new ContentOperations(random, model, paths);
        handles = new HandleOperations(random, model, paths);
        mappings = new MappingOperations(random, model, paths);
        changes = model.tree.changes;
        inspector = new Inspector(model.tree);
        Posix.umask(Model.UMASK);
    }

    /** Goes so many steps, and looks at everything at the end through every mount. */
    public void go(int steps) {
        try {
            for (int step = 1; step <= steps; step++) {
                step();
                if (count % BETWEEN_FULL_LOOKS == 0) {
                    lookAtAll(roots.getFirst());
                }
            }
            inspector.lookAtChanges(roots);
            roots.forEach(this::lookAtAll);
        } catch (RuntimeException | Error e) {
            throw new AssertionError(report(e), e);
        }
    }

    @Override
    public void close() {
        handles.close();
        mappings.close();
        roots.forEach(View::close);
    }

    private void step() {
        View root = roots.get(random.nextInt(roots.size()));
        Operation operation = next(root);
        Object predicted = Operation.outcome(operation.predicted());
        remember(root.mount().name() + ": " + operation.text() + " = " + predicted);
        Object performed = Operation.outcome(operation.performed());
        if (!predicted.equals(performed)) {
            throw new AssertionError("expected " + predicted + ", found " + performed);
        }
        changes.named(operation.named());
        // Sometimes nobody looks, because a look also brings a mount up to date. Each is sometimes the first.
        if (random.nextInt(5) != 0) {
            Collections.rotate(roots, 1);
            inspector.lookAtChanges(roots);
        }
    }

    private Operation next(View root) {
        Operation drawn = Operation.NONE;
        while (drawn.equals(Operation.NONE)) {
            drawn = draw(root);
        }
        return drawn;
    }

    private Operation draw(View root) {
        return switch (random.nextInt(10)) {
            case 0, 1, 2 -> names.next(root);
            case 3, 4 -> attributes.next(root);
            case 5, 6 -> contents.next(root);
            case 7, 8 -> handles.next(root);
            default -> mappings.next(root);
        };
    }

    private void lookAtAll(View root) {
        inspector.lookAtAll(root);
        handles.open().forEach(inspector::lookAt);
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
