package org.beefs.queenbee.namespace;

import org.jspecify.annotations.Nullable;

/** Entries by name: open addressing with linear probing, one reference for a slot, at most three quarters full. */
final class DentryTable {
    private static final int SMALLEST = 4;

    /** Shows nowhere: whoever looks through a directory does so by cookie. */
    private static final NameHash HASH = NameHash.secret();

    private @Nullable Dentry[] slots = new @Nullable Dentry[SMALLEST];
    private int size;

    int size() {
        return size;
    }

    @Nullable
    Dentry find(byte[] name) {
        return slots[slotOf(name)];
    }

    /** Makes room for so many more entries at once. */
    void reserve(int more) {
        int length = slots.length;
        while ((size + more) * 4L > length * 3L) {
            length *= 2;
        }
        if (length > slots.length) {
            resize(length);
        }
    }

    void add(Dentry entry) {
        if ((size + 1) * 4L > slots.length * 3L) {
            resize(slots.length * 2);
        }
        int slot = slotOf(entry.name);
        if (slots[slot] != null) {
            throw new IllegalStateException("the name is already there: " + entry.name());
        }
        slots[slot] = entry;
        size++;
    }

    void remove(byte[] name) {
        int hole = slotOf(name);
        if (slots[hole] == null) {
            throw new IllegalStateException("the name is not there");
        }
        slots[hole] = null;
        size--;
        closeGap(hole);
        if (slots.length > SMALLEST && size * 8L < slots.length) {
            resize(slots.length / 2);
        }
    }

    /** Moves what probed past the hole back into it, so that no search stops too early. */
    private void closeGap(int start) {
        int hole = start;
        int mask = slots.length - 1;
        for (int slot = (hole + 1) & mask; ; slot = (slot + 1) & mask) {
            Dentry entry = slots[slot];
            if (entry == null) {
                return;
            }
            int home = HASH.of(entry.name) & mask;
            if (((slot - home) & mask) >= ((slot - hole) & mask)) {
                slots[hole] = entry;
                slots[slot] = null;
                hole = slot;
            }
        }
    }

    private int slotOf(byte[] name) {
        int mask = slots.length - 1;
        int slot = HASH.of(name) & mask;
        for (Dentry entry = slots[slot]; entry != null && !entry.isNamed(name); entry = slots[slot]) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void resize(int length) {
        @Nullable Dentry[] old = slots;
        slots = new @Nullable Dentry[length];
        for (Dentry entry : old) {
            if (entry != null) {
                slots[slotOf(entry.name)] = entry;
            }
        }
    }
}
