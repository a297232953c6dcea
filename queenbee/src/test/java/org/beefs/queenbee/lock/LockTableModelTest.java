package org.beefs.queenbee.lock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.beefs.queenbee.lock.LockTable.Limits;
import org.beefs.queenbee.lock.LockTable.Outcome;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The table against a model that knows of each byte who has it how, and looks at every waiter after every step. */
class LockTableModelTest {
    private static final int STEPS = 1000;
    private static final int BYTES = 12;
    private static final int FILES = 2;
    private static final int OWNERS = 5;

    private record Place(long inode, Owner owner, int offset) {}

    private final Map<Place, Mode> bytes = new HashMap<>();
    private final TreeMap<Long, Wanted> waiting = new TreeMap<>();
    private final List<Lock> held = new ArrayList<>();
    private final List<Long> granted = new ArrayList<>();
    private final AtomicLong numbers = new AtomicLong();
    private final LockTable table =
            new LockTable(new Limits(1000, 1000, 1000), numbers::incrementAndGet, new LockTable.Listener() {
                @Override
                public void added(Lock lock) {
                    held.add(lock);
                }

                @Override
                public void removed(Lock lock) {
                    assertThat(held.remove(lock)).isTrue();
                }

                @Override
                public void granted(Waiter waiter) {
                    granted.add(waiter.ticket());
                }
            });

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void shouldDoAsTheModelDoes(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (long step = 1; step <= STEPS; step++) {
            granted.clear();
            List<Long> expected = new ArrayList<>();
            act(random, step, expected);

            // A session that ends may leave waiters of several files, which are served in any order.
            assertThat(granted).as("step %d", step).containsExactlyInAnyOrderElementsOf(expected);
            check(step);
        }
    }

    private void act(SplittableRandom random, long step, List<Long> expected) {
        Wanted wanted = draw(random);
        int choice = random.nextInt(20);
        if (choice == 0) {
            long session = random.nextInt(2);
            table.endSession(session);
            waiting.values().removeIf(waiter -> waiter.owner().session() == session);
            bytes.keySet().removeIf(place -> place.owner().session() == session);
            serve(expected);
        } else if (choice == 1 && !waiting.isEmpty()) {
            Map.Entry<Long, Wanted> oldest = waiting.firstEntry();
            waiting.remove(oldest.getKey());
            assertThat(table.lock(oldest.getValue(), oldest.getKey(), false)).isEqualTo(Outcome.CONFLICT);
        } else if (choice < 9) {
            table.unlock(wanted.inode(), wanted.owner(), wanted.range());
            set(wanted, null);
            serve(expected);
        } else {
            boolean wait = choice > 13;
            assertThat(table.lock(wanted, step, wait)).as("step %d", step).isEqualTo(lock(wanted, step, wait));
            serve(expected);
        }
    }

    private static Wanted draw(SplittableRandom random) {
        int owner = random.nextInt(OWNERS);
        boolean flock = random.nextInt(4) == 0;
        int start = random.nextInt(BYTES);
        Range range = flock
                ? Range.ALL
                : new Range(start, random.nextInt(4) == 0 ? Range.MAX : start + random.nextInt(BYTES - start));
        return new Wanted(
                1 + random.nextInt(FILES),
                new Owner(owner % 2, 1, owner, flock ? Owner.Kind.FLOCK : Owner.Kind.RECORD),
                random.nextBoolean() ? Mode.SHARED : Mode.EXCLUSIVE,
                range,
                0);
    }

    private Outcome lock(Wanted wanted, long ticket, boolean wait) {
        boolean flock = wanted.owner().kind() == Owner.Kind.FLOCK;
        if (flock && bytes.get(new Place(wanted.inode(), wanted.owner(), 0)) != wanted.mode()) {
            set(wanted, null);
        }
        if (blocking(wanted).isEmpty()) {
            set(wanted, wanted.mode());
            return Outcome.GRANTED;
        }
        if (wait && !flock && reaches(wanted, wanted.owner(), OWNERS)) {
            return Outcome.DEADLOCK;
        }
        if (wait) {
            waiting.put(ticket, wanted);
        }
        return wait ? Outcome.WAITING : Outcome.CONFLICT;
    }

    /** Whether some way of at most so many steps leads from a request over those who are in the way to an owner. */
    private boolean reaches(Wanted wanted, Owner owner, int steps) {
        return blocking(wanted).stream()
                .anyMatch(other -> other.equals(owner)
                        || (steps > 0
                                && waiting.values().stream()
                                        .anyMatch(waiter ->
                                                waiter.owner().equals(other) && reaches(waiter, owner, steps - 1))));
    }

    private List<Owner> blocking(Wanted wanted) {
        return bytes.entrySet().stream()
                .filter(entry -> entry.getKey().inode() == wanted.inode()
                        && entry.getKey().owner().kind() == wanted.owner().kind()
                        && !entry.getKey().owner().equals(wanted.owner())
                        && entry.getKey().offset() >= wanted.range().start()
                        && entry.getKey().offset() <= wanted.range().end()
                        && (entry.getValue() == Mode.EXCLUSIVE || wanted.mode() == Mode.EXCLUSIVE))
                .map(entry -> entry.getKey().owner())
                .distinct()
                .toList();
    }

    private void set(Wanted wanted, @Nullable Mode mode) {
        for (long offset = wanted.range().start();
                offset <= Math.min(wanted.range().end(), BYTES);
                offset++) {
            Place place = new Place(wanted.inode(), wanted.owner(), (int) offset);
            if (mode == null) {
                bytes.remove(place);
            } else {
                bytes.put(place, mode);
            }
        }
    }

    private void serve(List<Long> expected) {
        for (boolean again = true; again; ) {
            again = false;
            for (Map.Entry<Long, Wanted> waiter : new TreeMap<>(waiting).entrySet()) {
                if (blocking(waiter.getValue()).isEmpty()) {
                    waiting.remove(waiter.getKey());
                    set(waiter.getValue(), waiter.getValue().mode());
                    expected.add(waiter.getKey());
                    again = true;
                }
            }
        }
    }

    /** The last byte of the model stands for all behind. */
    private void check(long step) {
        Map<Place, Mode> shown = new HashMap<>();
        for (Lock lock : held) {
            for (long offset = lock.range().start();
                    offset <= Math.min(lock.range().end(), BYTES);
                    offset++) {
                Mode twice = shown.put(new Place(lock.inode(), lock.owner(), (int) offset), lock.mode());
                assertThat(twice).as("step %d: no overlap", step).isNull();
            }
        }
        assertThat(shown).as("step %d", step).isEqualTo(bytes);
        assertThat(table.size()).isEqualTo(held.size());
        assertThat(table.waiting()).isEqualTo(waiting.size());
        for (Lock lock : held) {
            assertThat(held)
                    .as("step %d: merged", step)
                    .noneMatch(other -> other.inode() == lock.inode()
                            && other.owner().equals(lock.owner())
                            && other.mode() == lock.mode()
                            && lock.range().end() != Range.MAX
                            && other.range().start() == lock.range().end() + 1);
        }
    }
}
