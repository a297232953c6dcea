package org.beefs.queenbee.namespace;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Inodes by number: open addressing with linear probing, one reference for a slot, at most three quarters full. The
 * upper bits of a number's hash choose its slot, so inodes stay in the order of their hashes (but for those that share
 * slots) whatever the table's size.
 */
final class InodeTable {
    private static final int SMALLEST = 1024;
    static final int HASH_BITS = 31;

    private @Nullable Inode[] slots = new @Nullable Inode[SMALLEST];
    private int size;

    int size() {
        return size;
    }

    @Nullable
    Inode find(long number) {
        return slots[slotOf(number)];
    }

    /** Makes room for so many more inodes at once. */
    void reserve(int more) {
        int length = slots.length;
        while ((size + more) * 4L > length * 3L) {
            length *= 2;
        }
        if (length > slots.length) {
            resize(length);
        }
    }

    void add(Inode inode) {
        if ((size + 1) * 4L > slots.length * 3L) {
            resize(slots.length * 2);
        }
        int slot = slotOf(inode.number);
        if (slots[slot] != null) {
            throw new IllegalStateException("inode " + inode.number + " exists");
        }
        slots[slot] = inode;
        size++;
    }

    void remove(long number) {
        int hole = slotOf(number);
        if (slots[hole] == null) {
            throw new IllegalStateException("inode " + number + " does not exist");
        }
        slots[hole] = null;
        size--;
        closeGap(hole);
        if (slots.length > SMALLEST && size * 8L < slots.length) {
            resize(slots.length / 2);
        }
    }

    void forEach(Consumer<Inode> visitor) {
        for (Inode inode : slots) {
            if (inode != null) {
                visitor.accept(inode);
            }
        }
    }

    /**
     * Shows the inodes of a range of hashes, so none is missed or seen twice that others push or pull to another slot.
     *
     * @param from lowest hash
     * @param most slots to look at, but for those that the last ones share with others
     * @return the lowest hash of the next range; 0 when there is none
     */
    int forSome(int from, int most, Consumer<Inode> visitor) {
        int mask = slots.length - 1;
        int start = slotOfHash(from);
        int end = (int) Math.min(slots.length, (long) start + most);
        long above = ((long) end << HASH_BITS) / slots.length;
        int once = start + slots.length; // from there on it would be where it has begun
        for (int slot = start; slot < end || (slot < once && slots[slot & mask] != null); slot++) {
            Inode inode = slots[slot & mask];
            if (inode != null && hash(inode.number) >= from && hash(inode.number) < above) {
                visitor.accept(inode);
            }
        }
        return end < slots.length ? (int) above : 0;
    }

    private void closeGap(int start) {
        int hole = start;
        int mask = slots.length - 1;
        for (int slot = (hole + 1) & mask; ; slot = (slot + 1) & mask) {
            Inode inode = slots[slot];
            if (inode == null) {
                return;
            }
            int home = slotOfHash(hash(inode.number));
            if (((slot - home) & mask) >= ((slot - hole) & mask)) {
                slots[hole] = inode;
                slots[slot] = null;
                hole = slot;
            }
        }
    }

    private int slotOf(long number) {
        int mask = slots.length - 1;
        int slot = slotOfHash(hash(number));
        for (Inode inode = slots[slot]; inode != null && inode.number != number; inode = slots[slot]) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void resize(int length) {
        @Nullable Inode[] old = slots;
        slots = new @Nullable Inode[length];
        for (Inode inode : old) {
            if (inode != null) {
                slots[slotOf(inode.number)] = inode;
            }
        }
    }

    private int slotOfHash(int hash) {
        return (int) (((long) hash * slots.length) >>> HASH_BITS);
    }

    /** 0 or more. */
    private static int hash(long number) {
        return (int) ((number * 0x9E3779B97F4A7C15L) >>> (Long.SIZE - HASH_BITS));
    }
}
