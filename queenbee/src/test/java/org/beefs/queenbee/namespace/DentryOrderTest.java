package org.beefs.queenbee.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Entries stay in the order of their cookies, whatever is removed. */
class DentryOrderTest {
    private final DentryOrder order = new DentryOrder();
    private long next = 3;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldShowWhatASortedSetWouldShow(long seed) {
        Random random = new Random(seed);
        TreeSet<Long> expected = new TreeSet<>();
        for (int step = 0; step < 2000; step++) {
            // Grows and shrinks by turns.
            if (expected.isEmpty() || random.nextInt(100) < (step / 500 % 2 == 0 ? 70 : 30)) {
                expected.add(append());
            } else {
                Long removed = random.nextBoolean() ? expected.first() : chosen(expected, random);
                expected.remove(removed);
                order.remove(removed);
            }
            long after = random.nextBoolean() ? 0 : random.nextLong(next + 1);
            assertThat(shown(after)).as("after %d", after).containsExactlyElementsOf(expected.tailSet(after, false));
        }
    }

    @Test
    void shouldShowTheRestOfADirectoryThatIsBeingEmptied() {
        List<Long> cookies = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            cookies.add(append());
        }

        cookies.subList(0, 400).forEach(order::remove);

        assertThat(shown(0)).containsExactlyElementsOf(cookies.subList(400, 1000));
        assertThat(shown(cookies.get(100))).containsExactlyElementsOf(cookies.subList(400, 1000));
    }

    /** Who empties a directory may leave its first entry: what follows that is looked at again and again. */
    @Test
    void shouldPassFewMarksBehindAnEntryThatStays() {
        List<Long> cookies = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            cookies.add(append());
        }
        cookies.subList(1, 49_000).forEach(order::remove);

        assertThat(shownOfFirst(128)).containsExactly(cookies.getFirst());
        for (int looks = 0; looks < 49; looks++) {
            shownOfFirst(1024);
        }
        assertThat(shownOfFirst(128))
                .as("it goes on where the last looks have come to")
                .startsWith(cookies.getFirst(), cookies.get(49_000))
                .hasSize(127);
        order.remove(cookies.getFirst());
        assertThat(shownOfFirst(128)).containsExactlyElementsOf(cookies.subList(49_000, 49_128));
    }

    private List<Long> shownOfFirst(int positions) {
        List<Long> shown = new ArrayList<>();
        order.visitFirst(positions, entry -> shown.add(entry.cookie));
        return shown;
    }

    private long append() {
        order.append(new Dentry(new byte[] {'f'}, next, new Inode(next)));
        return next++;
    }

    private static long chosen(Set<Long> from, Random random) {
        return from.stream().skip(random.nextInt(from.size())).findFirst().orElseThrow();
    }

    private List<Long> shown(long after) {
        List<Long> shown = new ArrayList<>();
        order.visit(after, entry -> shown.add(entry.cookie));
        return shown;
    }
}
