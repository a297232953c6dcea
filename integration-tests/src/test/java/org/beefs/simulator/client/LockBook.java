package org.beefs.simulator.client;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;
import java.util.stream.Stream;
import org.beefs.common.wire.LockMode;

/**
 * Which locks the programs of all desktops have, as far as they know. Locks end with their session, of which programs
 * are not told: those do not count any more.
 */
public final class LockBook {
    /** The bytes of a file that are locked at all: few, so that owners meet. */
    static final int BYTES = 8;

    /**
     * Who has locks on a file.
     *
     * @param session of the daemon when it was granted
     * @param id of the program, or of the open file for locks of flock(2)
     */
    record Owner(String desktop, long session, long inode, long id, boolean flock) {
        boolean contendsWith(Owner other) {
            return inode == other.inode && flock == other.flock && !isSameAs(other);
        }

        /** Of whatever file. */
        private boolean isSameAs(Owner other) {
            return flock == other.flock && desktop.equals(other.desktop) && id == other.id;
        }
    }

    /** Sets of bytes. */
    private record Bytes(int shared, int exclusive) {
        static final Bytes NONE = new Bytes(0, 0);

        Bytes with(LockMode mode, int bytes) {
            return switch (mode) {
                case SHARED -> new Bytes(shared | bytes, exclusive & ~bytes);
                case EXCLUSIVE -> new Bytes(shared & ~bytes, exclusive | bytes);
                default -> new Bytes(shared & ~bytes, exclusive & ~bytes);
            };
        }

        Bytes or(Bytes other) {
            return new Bytes(shared | other.shared, exclusive | other.exclusive);
        }

        boolean conflictsWith(Bytes other) {
            return ((exclusive & (other.shared | other.exclusive)) | (shared & other.exclusive)) != 0;
        }
    }

    private final LongPredicate lives;
    private final Map<Owner, Bytes> held = new LinkedHashMap<>();
    /** Of these it is not known whether they are held. */
    private final Map<Owner, Bytes> doubtful = new LinkedHashMap<>();

    /** What was held, or may have been, at some time since all was calm. */
    private final Map<Owner, Bytes> possible = new LinkedHashMap<>();

    /** What somebody has waited for since then, or may have. */
    private final Map<Owner, Bytes> awaited = new LinkedHashMap<>();

    /** @param lives whether a session certainly has not ended */
    public LockBook(LongPredicate lives) {
        this.lives = lives;
    }

    /** The bytes from one to another, both among them. */
    static int bytes(int from, int to) {
        return (1 << (to + 1)) - (1 << from);
    }

    /**
     * Somebody asks for a lock, and may have it from now on: who wants to share bytes may have nothing more of them.
     */
    void ask(Owner owner, LockMode mode, int bytes, boolean waits) {
        Bytes wanted = Bytes.NONE.with(mode, bytes);
        possible.merge(owner, wanted, Bytes::or);
        if (waits) {
            awaited.merge(owner, wanted, Bytes::or);
        }
        Bytes before = held.get(owner);
        if (mode == LockMode.SHARED && before != null) {
            suspect(owner, LockMode.EXCLUSIVE, bytes & before.exclusive);
            held.put(owner, before.with(mode, bytes & before.exclusive));
        }
    }

    /** He has been told that he has it. */
    void grant(Owner owner, LockMode mode, int bytes) {
        held.merge(owner, Bytes.NONE.with(mode, bytes), (before, granted) -> before.with(mode, bytes));
        doubtful.computeIfPresent(owner, (same, before) -> before.with(LockMode.UNLOCKED, bytes));
    }

    /**
     * He has been told that he has it, but his session has ended since he asked: it is not known in which one it was
     * granted.
     */
    void suspect(Owner owner, LockMode mode, int bytes) {
        doubtful.merge(owner, Bytes.NONE.with(mode, bytes), Bytes::or);
    }

    /** He begins to give it up. */
    void giveUp(Owner owner, int bytes) {
        Bytes before = held.get(owner);
        if (before != null) {
            suspect(owner, LockMode.EXCLUSIVE, bytes & (before.shared | before.exclusive));
            held.put(owner, before.with(LockMode.UNLOCKED, bytes));
        }
    }

    /** He has been told that he has given it up. */
    void gaveUp(Owner owner, int bytes) {
        doubtful.computeIfPresent(owner, (same, before) -> before.with(LockMode.UNLOCKED, bytes));
    }

    /**
     * He loses his locks by closing another descriptor of the file, unless the kernel need not tell of that; or he may
     * lose them by failing to change them.
     */
    void doubt(Owner owner) {
        Bytes before = held.remove(owner);
        if (before != null) {
            doubtful.merge(owner, before, Bytes::or);
        }
    }

    /** An open file through which he has locked is closed: he has nothing any more. */
    void end(Owner owner) {
        held.remove(owner);
        doubtful.remove(owner);
    }

    /** A desktop's daemon has died. */
    void died(String desktop) {
        held.keySet().removeIf(owner -> owner.desktop().equals(desktop));
        doubtful.keySet().removeIf(owner -> owner.desktop().equals(desktop));
    }

    /** Whether something may have been in the way of a lock. */
    boolean mayBeRefused(Owner owner, LockMode mode, int bytes) {
        Bytes wanted = Bytes.NONE.with(mode, bytes);
        return possible.entrySet().stream()
                .anyMatch(other -> owner.contendsWith(other.getKey()) && wanted.conflictsWith(other.getValue()));
    }

    /** Whether something may be in the way of a lock now; a session that is over is in nobody's way. */
    boolean isBlocked(Owner owner, LockMode mode, int bytes) {
        Bytes wanted = Bytes.NONE.with(mode, bytes);
        return Stream.concat(
                        held.entrySet().stream()
                                .filter(other -> lives.test(other.getKey().session())),
                        doubtful.entrySet().stream())
                .anyMatch(other -> owner.contendsWith(other.getKey()) && wanted.conflictsWith(other.getValue()));
    }

    /** Whether whoever may have been in the way of a lock, or another one, may have waited for its owner. */
    boolean mayDeadlock(Owner owner, LockMode mode, int bytes) {
        return mayBeRefused(owner, mode, bytes)
                && possible.entrySet().stream()
                        .filter(own -> own.getKey().isSameAs(owner))
                        .anyMatch(own -> awaited.entrySet().stream()
                                .anyMatch(other -> other.getKey().contendsWith(own.getKey())
                                        && other.getValue().conflictsWith(own.getValue())));
    }

    /** All is calm: nobody has what he does not know of, and nobody waits. */
    public void settle() {
        awaited.clear();
        possible.clear();
        possible.putAll(doubtful);
        held.forEach((owner, bytes) -> possible.merge(owner, bytes, Bytes::or));
    }

    /** Locks that exclude each other and that are held by two at a time. */
    public List<String> contradictions() {
        List<Owner> owners = held.keySet().stream()
                .filter(owner -> lives.test(owner.session()))
                .toList();
        List<String> wrong = new ArrayList<>();
        for (Owner one : owners) {
            owners.stream()
                    .filter(other -> one.contendsWith(other)
                            && held.getOrDefault(one, Bytes.NONE).conflictsWith(held.getOrDefault(other, Bytes.NONE)))
                    .forEach(other -> wrong.add("%s and %s have locks that exclude each other: %s, %s"
                            .formatted(one, other, held.get(one), held.get(other))));
        }
        return wrong;
    }
}
