package org.beefs.queenbee.namespace;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Inodes by number: open addressing with linear probing, one reference for a slot, at most three quarters full. */
final class InodeTable {
    private static final int SMALLEST = 1024;

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

    int forSome(int from, int most, Consumer<Inode> visitor) {
        int end = (int) Math.min(slots.length, (long) from + most);
        for (int slot = from; slot < end; slot++) {
            Inode inode = slots[slot];
            if (inode != null) {
                visitor.accept(inode);
            }
        }
        return end < slots.length ? end : 0;
    }

    private void closeGap(int start) {
        int hole = start;
        int mask = slots.length - 1;
        for (int slot = (hole + 1) & mask; ; slot = (slot + 1) & mask) {
            Inode inode = slots[slot];
            if (inode == null) {
                return;
            }
            int home = hash(inode.number) & mask;
            if (((slot - home) & mask) >= ((slot - hole) & mask)) {
                slots[hole] = inode;
                slots[slot] = null;
                hole = slot;
            }
        }
    }

    private int slotOf(long number) {
        int mask = slots.length - 1;
        int slot = hash(number) & mask;
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

    private static int hash(long number) {
        long hash = number * 0x9E3779B97F4A7C15L;
        return (int) (hash >>> 32);
    }
}
