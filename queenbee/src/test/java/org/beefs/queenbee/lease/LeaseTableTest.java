package org.beefs.queenbee.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LeaseTableTest {
    private record Held(long inode, Lease lease, int slot) {}

    private final LeaseTable table = new LeaseTable();

    @Test
    void shouldTellTheKindsOfLeasesApart() {
        int slot = table.newSlot();
        table.add(7, Lease.DIRECTORY, slot);
        table.add(7, Lease.WRITE, slot);

        assertThat(table.holds(7, Lease.DIRECTORY, slot)).isTrue();
        assertThat(table.holds(7, Lease.ATTRIBUTES, slot)).isFalse();
        assertThat(table.holds(7, Lease.WRITE, slot)).isTrue();
        assertThat(table.size()).isEqualTo(2);
    }

    @Test
    void shouldCountALeaseOnceHoweverOftenItIsGranted() {
        int slot = table.newSlot();
        table.add(7, Lease.DIRECTORY, slot);
        table.add(7, Lease.DIRECTORY, slot);

        assertThat(table.count(slot)).isOne();
        table.remove(7, Lease.DIRECTORY, slot);
        assertThat(table.size()).isZero();
    }

    @Test
    void shouldShowNothingOfAnEndedSlotToWhoeverGetsItsPlace() {
        List<Integer> slots = new ArrayList<>();
        for (int round = 0; round < 500; round++) {
            int slot = table.newSlot();
            slots.add(slot);
            assertThat(table.count(slot)).isZero();
            for (long inode = 0; inode < 100; inode++) {
                assertThat(table.holds(inode, Lease.ATTRIBUTES, slot)).isFalse();
                table.add(inode, Lease.ATTRIBUTES, slot);
            }
            table.end(slot);
        }

        assertThat(table.size()).isZero();
        assertThat(new HashSet<>(slots)).as("places are used again").hasSizeLessThan(100);
    }

    @Test
    void shouldUseThePlacesOfTheEndedAgainHoweverMuchOthersHold() {
        int staying = table.newSlot();
        for (long inode = 0; inode < 100_000; inode++) {
            table.add(inode, Lease.ATTRIBUTES, staying);
        }

        Set<Integer> slots = new HashSet<>();
        for (int round = 0; round < 5000; round++) {
            int slot = table.newSlot();
            slots.add(slot);
            assertThat(table.holds(7, Lease.ATTRIBUTES, slot)).isFalse();
            table.add(7, Lease.ATTRIBUTES, slot);
            table.end(slot);
        }

        assertThat(slots).as("places are used again").hasSizeLessThan(100);
        assertThat(holders(7, Lease.ATTRIBUTES)).containsExactly(staying);
        assertThat(table.count(staying)).isEqualTo(100_000);
    }

    @Test
    void shouldGoOnWithFewWhenManyHaveEnded() {
        List<Integer> slots = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            slots.add(table.newSlot());
            table.add(7, Lease.DIRECTORY, slots.getLast());
        }
        int first = slots.removeFirst();
        slots.forEach(table::end);

        assertThat(holders(7, Lease.DIRECTORY)).containsExactly(first);
        assertThat(table.isHeldByOthers(7, Lease.DIRECTORY, first, Holder.NONE)).isFalse();
        for (int i = 0; i < 1000; i++) {
            table.add(7, Lease.DIRECTORY, table.newSlot());
        }
        assertThat(holders(7, Lease.DIRECTORY)).hasSize(1001);
    }

    @Test
    void shouldTakeALeaseFromAllWhoHoldIt() {
        for (int i = 0; i < 200; i++) {
            table.add(7, Lease.DIRECTORY, table.newSlot());
        }
        assertThat(holders(7, Lease.DIRECTORY)).hasSize(200);

        table.removeAll(7, Lease.DIRECTORY);

        assertThat(holders(7, Lease.DIRECTORY)).isEmpty();
        assertThat(table.size()).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldHoldWhatAPlainSetWouldHold(long seed) {
        Random random = new Random(seed);
        Set<Held> expected = new HashSet<>();
        List<Integer> slots = new ArrayList<>();
        for (int i = 0; i < 70; i++) {
            slots.add(table.newSlot());
        }
        for (int step = 0; step < 100_000; step++) {
            int index = random.nextInt(slots.size());
            int slot = slots.get(index);
            long inode = random.nextInt(2000) + (random.nextBoolean() ? 1L << 40 : 0);
            Lease lease = random.nextInt(4) == 0 ? Lease.DIRECTORY : Lease.ATTRIBUTES;
            // More comes than goes at first, and more goes than comes later.
            int chance = random.nextInt(1000);
            if (chance == 0) {
                table.end(slot);
                expected.removeIf(held -> held.slot == slot);
                slots.set(index, table.newSlot());
            } else if (chance < (step < 50_000 ? 800 : 200)) {
                table.add(inode, lease, slot);
                expected.add(new Held(inode, lease, slot));
            } else {
                table.remove(inode, lease, slot);
                expected.remove(new Held(inode, lease, slot));
            }
            assertThat(table.size()).isEqualTo(expected.size());
        }
        Set<Held> found = new HashSet<>();
        for (long inode = 0; inode < 2000; inode++) {
            for (long number : new long[] {inode, inode + (1L << 40)}) {
                for (Lease lease : Lease.values()) {
                    holders(number, lease).forEach(slot -> found.add(new Held(number, lease, slot)));
                }
            }
        }
        assertThat(found).isEqualTo(expected);
        for (int slot : slots) {
            assertThat(table.count(slot)).isEqualTo((int)
                    expected.stream().filter(held -> held.slot == slot).count());
        }
    }

    private List<Integer> holders(long inode, Lease lease) {
        List<Integer> slots = new ArrayList<>();
        table.forEachHolder(inode, lease, slots::add);
        return slots;
    }
}
