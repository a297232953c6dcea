package org.beefs.queenbee.namespace;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Inodes, or what is kept of each, by number: open addressing with linear probing, one reference for a slot, at most
 * three quarters full. The upper bits of a number's hash choose its slot, so inodes stay in the order of their hashes
 * (but for those that share slots) whatever the table's size. Not thread-safe.
 */
public final class InodeTable<T extends InodeTable.Numbered> {
    /** What there is once for an inode. */
    public interface Numbered {
        /** The inode's. */
        long number();
    }

    private static final int SMALLEST = 1024;
    static final int HASH_BITS = 31;

    private @Nullable Numbered[] slots = new @Nullable Numbered[SMALLEST];
    private int size;

    public int size() {
        return size;
    }

    public @Nullable T find(long number) {
        return at(slotOf(number));
    }

    @SuppressWarnings("unchecked") // nothing else is put into a slot
    private @Nullable T at(int slot) {
        return (T) slots[slot];
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

    /** Adds what is not there yet. */
    void add(T inode) {
        if (put(inode) != null) {
            throw new IllegalStateException("inode " + inode.number() + " exists");
        }
    }

    /** Adds it, or puts it in the place of what there was; answers that. */
    public @Nullable T put(T inode) {
        if ((size + 1) * 4L > slots.length * 3L) {
            resize(slots.length * 2);
        }
        int slot = slotOf(inode.number());
        T before = at(slot);
        slots[slot] = inode;
        size += before == null ? 1 : 0;
        return before;
    }

    /** Removes what must be there. */
    public void remove(long number) {
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

    /** Shows all; the visitor changes nothing here. */
    public void forEach(Consumer<? super T> visitor) {
        for (int slot = 0; slot < slots.length; slot++) {
            T inode = at(slot);
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
    public int forSome(int from, int most, Consumer<? super T> visitor) {
        int mask = slots.length - 1;
        int start = slotOfHash(from);
        int end = (int) Math.min(slots.length, (long) start + most);
        long above = ((long) end << HASH_BITS) / slots.length;
        int once = start + slots.length; // from there on it would be where it has begun
        for (int slot = start; slot < end || (slot < once && slots[slot & mask] != null); slot++) {
            T inode = at(slot & mask);
            if (inode != null && hash(inode.number()) >= from && hash(inode.number()) < above) {
                visitor.accept(inode);
            }
        }
        return end < slots.length ? (int) above : 0;
    }

    private void closeGap(int start) {
        int hole = start;
        int mask = slots.length - 1;
        for (int slot = (hole + 1) & mask; ; slot = (slot + 1) & mask) {
            Numbered inode = slots[slot];
            if (inode == null) {
                return;
            }
            int home = slotOfHash(hash(inode.number()));
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
        for (Numbered inode = slots[slot]; inode != null && inode.number() != number; inode = slots[slot]) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void resize(int length) {
        @Nullable Numbered[] old = slots;
        slots = new @Nullable Numbered[length];
        for (Numbered inode : old) {
            if (inode != null) {
                slots[slotOf(inode.number())] = inode;
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
