package org.beefs.honeycomb.memory;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.beefs.common.linux.Inodes;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.posix.Timestamps;
import org.beefs.common.time.Clock;
import org.beefs.common.wire.Timestamp;
import org.beefs.honeycomb.disk.DiskSpace;
import org.beefs.honeycomb.disk.ReplicaFiles;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.beefs.honeycomb.state.ReplicaKind;
import org.jspecify.annotations.Nullable;

/**
 * A desktop's disk that outlives the processes which use it. Thread-safe.
 *
 * <p>{@link #mount} starts a process on it: what an earlier process still holds fails from then on, as after
 * {@code kill -9}; all that was written stays. {@link #losePower()} keeps only what was synced: content and description
 * of a file as of its last sync, and only if its name was synced too; removals that were not synced did not happen.
 * {@link #losePower(RandomGenerator)} keeps some of the rest.
 *
 * <p>No two changes have the same time, so that mtime tells them apart, as on current kernels.
 */
public final class MemoryDisk {
    /** What can be made to fail. */
    public enum Operation {
        OPEN,
        CREATE,
        DELETE,
        /** Taking a file from its name, and marking it as copied. */
        RENAME,
        /** Copying a file that was taken from its name. */
        COPY,
        READ,
        WRITE,
        TRUNCATE,
        ALLOCATE,
        SYNC,
        STATUS,
        DESCRIBE,
        /** Making a file immutable, or mutable again. */
        FLAG,
        /** Asking how much is free. */
        SPACE
    }

    private final Clock clock;
    private final long size;
    private final Map<ReplicaId, MemoryNode> names = new TreeMap<>();
    private final Map<ReplicaId, MemoryNode> syncedNames = new HashMap<>();
    private final Map<ReplicaId, MemoryNode> incoming = new TreeMap<>();
    private final Map<String, MemoryNode> uncopied = new TreeMap<>();
    private final Map<String, MemoryNode> copied = new TreeMap<>();
    private final List<String> lost = new ArrayList<>();
    private final Set<ReplicaId> unreadable = new HashSet<>();
    /** Files by the numbers that kernels were given for them; the numbers are those of this disk. */
    private final List<MemoryNode> descriptors = new ArrayList<>();

    /** What primary replicas held when they were brought to disk. */
    private final Map<ReplicaId, Set<Integer>> held = new HashMap<>();

    private byte @Nullable [] identity;
    private Function<Operation, @Nullable Errno> faults = operation -> null;
    private BooleanSupplier memory = new BooleanSupplier() {
        private boolean next;

        @Override
        public boolean getAsBoolean() {
            next = !next;
            return next;
        }
    };

    private Inodes inodes = Inodes.UNLIMITED;
    private long foreign;
    private int process;
    private boolean ignoresSyncs;
    private boolean hidesLostWrites;
    private boolean ignoresSyncsOfIncoming;
    private boolean ignoresSyncsWithoutContent;
    private boolean keepsCtimeOutside;
    private boolean forbidsFlags;
    private boolean hidesWriters;
    private boolean hidesFailures;
    private Instant lastChange = Instant.MIN;

    /**
     * @param clock for the times of files
     * @param size of the disk in bytes
     */
    public MemoryDisk(Clock clock, long size) {
        this.clock = clock;
        this.size = size;
    }

    /** The disk for a new process. */
    public synchronized ReplicaFiles mount() {
        process++;
        incoming.clear();
        return new MemoryReplicaFiles(this, process);
    }

    /** What was not synced is gone. */
    public synchronized void losePower() {
        losePower(() -> false, MemoryNode::losePower);
    }

    /** Of what was not synced anything may be left: some names, some of each file's changes, some sectors. */
    public synchronized void losePower(RandomGenerator random) {
        losePower(random::nextBoolean, node -> node.losePower(random));
    }

    private void losePower(BooleanSupplier keepsName, Consumer<MemoryNode> lose) {
        process++;
        Set<ReplicaId> unsynced = new TreeSet<>(names.keySet());
        unsynced.addAll(syncedNames.keySet());
        unsynced.removeIf(id -> names.get(id) == syncedNames.get(id) || keepsName.getAsBoolean());
        unsynced.forEach(this::revertName);
        syncedNames.clear();
        syncedNames.putAll(names);
        names.values().forEach(lose);
    }

    private void revertName(ReplicaId id) {
        MemoryNode synced = syncedNames.get(id);
        if (synced == null) {
            names.remove(id);
        } else {
            names.put(id, synced);
        }
    }

    /** What the desktop's owner stores on the disk. Bytes. */
    public synchronized void setForeign(long bytes) {
        foreign = bytes;
    }

    /** How many files the disk takes from now on, as it says itself; it takes all the same what is made. */
    public synchronized void setInodes(Inodes inodes) {
        this.inodes = inodes;
    }

    /** From now on, says for each operation whether and how it fails. */
    public synchronized void setFaults(Function<Operation, @Nullable Errno> faults) {
        this.faults = faults;
    }

    /** From now on, says each time whether content that is wanted is in memory; until then it is every other time. */
    public synchronized void setMemory(BooleanSupplier memory) {
        this.memory = memory;
    }

    /** A file as a crash in the middle of its creation leaves it. */
    public synchronized void addUndescribed(ReplicaId id) {
        names.put(id, new MemoryNode(now()));
    }

    /** Removes a replica's file behind the honeycomb's back. */
    public synchronized void removeBehindBack(ReplicaId id) {
        names.remove(id);
        syncedNames.remove(id);
    }

    /** From now on a replica's file can neither be opened nor be looked at. */
    public synchronized void makeUnreadable(ReplicaId id) {
        unreadable.add(id);
    }

    /** The disk forgets a bit of a replica's content, which nobody notices. */
    public synchronized void flipABit(ReplicaId id) {
        node(id).content().flipABit();
    }

    /** From now on a program has, or has not, a replica's file open for writing or mapped. */
    public synchronized void setOutsideWriter(ReplicaId id, boolean present) {
        node(id).setOutsideWriter(present);
    }

    /** A program appends to a replica's file, which no honeycomb hears of. */
    public synchronized void appendOutside(ReplicaId id, byte[] bytes) {
        appendOutside(node(id), bytes);
    }

    /**
     * As {@link #appendOutside(ReplicaId, byte[])}, to the file that a program has had open since before it was fenced.
     */
    public synchronized void appendFenced(byte[] bytes) {
        appendOutside(fencedNode(), bytes);
    }

    /** From now on no program has the fenced file open any more. */
    public synchronized void letGoOfFenced() {
        fencedNode().setOutsideWriter(false);
    }

    private MemoryNode fencedNode() {
        return uncopied.isEmpty()
                ? copied.values().iterator().next()
                : uncopied.values().iterator().next();
    }

    private void appendOutside(MemoryNode node, byte[] bytes) {
        node.checkMutable();
        node.content().write(ByteBuffer.wrap(bytes), node.content().size());
        changedOutside(node);
    }

    /** A program opens the file behind a descriptor that a kernel was given, or maps it. */
    public synchronized OutsideFile openOutside(int descriptor, boolean write) {
        return new OutsideFile(this, descriptors.get(descriptor), write);
    }

    /** From now on only syncs of single files tell that something could not be written, as with an old kernel. */
    public synchronized void hideLostWrites() {
        hidesLostWrites = true;
    }

    synchronized boolean tellsOfLostWrites() {
        return !hidesLostWrites;
    }

    /** From now on syncs succeed and do nothing, as on a disk that lies. */
    public synchronized void ignoreSyncs() {
        ignoresSyncs = true;
    }

    /** From now on syncs do nothing for a file whose content is on disk, whatever else about it has changed. */
    public synchronized void ignoreSyncsWithoutContent() {
        ignoresSyncsWithoutContent = true;
    }

    /** From now on syncs do nothing for what comes from other honeycombs. */
    public synchronized void ignoreSyncsOfIncoming() {
        ignoresSyncsOfIncoming = true;
    }

    /**
     * From now on processes may not, or may again, change which files are immutable, as without CAP_LINUX_IMMUTABLE.
     */
    public synchronized void forbidFlags(boolean forbidden) {
        forbidsFlags = forbidden;
    }

    /** From now on programs that change a file in passthrough do not move its ctime. */
    public synchronized void keepCtimeOutside() {
        keepsCtimeOutside = true;
    }

    /** From now on nobody seems to have a file open for writing. */
    public synchronized void hideWriters() {
        hidesWriters = true;
    }

    /** From now on writes without room, and syncs that fail, seem to succeed and do nothing. */
    public synchronized void hideFailures() {
        hidesFailures = true;
    }

    /**
     * A replica as it lies on the disk.
     *
     * @param description what is written on it; null when nothing is
     * @param synced whether its content is on disk
     * @param fingerprint of the content that is on disk
     */
    public record Lying(
            ReplicaId id, @Nullable ReplicaDescription description, long size, boolean synced, int fingerprint) {}

    /** Looks at all replicas, behind every honeycomb's back. */
    public synchronized List<Lying> look() {
        return names.entrySet().stream()
                .map(entry -> new Lying(
                        entry.getKey(),
                        entry.getValue().description(),
                        entry.getValue().content().size(),
                        entry.getValue().isSynced(),
                        entry.getValue().syncedFingerprint()))
                .toList();
    }

    /** Whether a primary replica has ever held content of that fingerprint when it was brought to disk. */
    public synchronized boolean hasHeld(ReplicaId id, int fingerprint) {
        return held.getOrDefault(id, Set.of()).contains(fingerprint);
    }

    private MemoryNode node(ReplicaId id) {
        return Objects.requireNonNull(names.get(id), id::toString);
    }

    /** The replicas whose files there are. */
    public synchronized List<ReplicaId> replicas() {
        return List.copyOf(names.keySet());
    }

    /** Files that were taken from their names. */
    public synchronized int fenced() {
        return uncopied.size() + copied.size();
    }

    /** Replicas whose files are immutable. */
    public synchronized List<ReplicaId> immutable() {
        return names.entrySet().stream()
                .filter(entry -> entry.getValue().isImmutable())
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Names of the files that were put into quarantine. */
    public synchronized List<String> lost() {
        return List.copyOf(lost);
    }

    /** Also for a process that is dead: it may report what it has. */
    synchronized DiskSpace space() {
        check(process, Operation.SPACE);
        return new DiskSpace(size, free(), inodes);
    }

    // What follows is called with the monitor held.

    void check(int byProcess, Operation operation) {
        assert Thread.holdsLock(this);
        if (byProcess != process) {
            throw new PosixException(Errno.EIO, "this process is dead");
        }
        Errno fault = faults.apply(operation);
        if (fault != null) {
            throw new PosixException(fault, operation + " was made to fail");
        }
    }

    /** Whether something of that kind seems to succeed though it is made to fail. */
    boolean hides(Operation operation) {
        return hidesFailures && faults.apply(operation) != null;
    }

    /** Whether a write for which there is no room seems to succeed. */
    boolean hidesFullness(long bytes) {
        return hidesFailures && bytes > free();
    }

    boolean forbidsFlags() {
        return forbidsFlags;
    }

    void setImmutable(MemoryNode node, boolean immutable) {
        if (forbidsFlags && node.isImmutable() != immutable) {
            throw new PosixException(Errno.EPERM, "changing that takes a right that the process does not have");
        }
        node.setImmutable(immutable);
    }

    /** Another file has taken its name. */
    void makeReadable(ReplicaId id) {
        unreadable.remove(id);
    }

    boolean isUnreadable(ReplicaId id) {
        return unreadable.contains(id);
    }

    boolean isAtHand() {
        return memory.getAsBoolean();
    }

    void take(long bytes) {
        if (bytes > free()) {
            throw new PosixException(Errno.ENOSPC, "the disk is full");
        }
    }

    private long free() {
        long used = Stream.of(names, incoming, uncopied, copied)
                .flatMap(files -> files.values().stream())
                .mapToLong(node -> node.content().allocated())
                .sum();
        return Math.max(0, size - foreign - used);
    }

    Timestamp now() {
        Instant now = clock.now();
        lastChange = now.isAfter(lastChange) ? now : lastChange.plusNanos(1);
        return Timestamps.toWire(lastChange);
    }

    Map<String, MemoryNode> uncopied() {
        return uncopied;
    }

    Map<String, MemoryNode> copied() {
        return copied;
    }

    Map<ReplicaId, MemoryNode> incoming() {
        return incoming;
    }

    Map<ReplicaId, MemoryNode> names() {
        return names;
    }

    void changedOutside(MemoryNode node) {
        Timestamp ctime = node.ctime();
        node.changed(now());
        if (keepsCtimeOutside) {
            node.setCtime(ctime);
        }
    }

    int descriptor(MemoryNode node) {
        int known = descriptors.indexOf(node);
        if (known >= 0) {
            return known;
        }
        descriptors.add(node);
        return descriptors.size() - 1;
    }

    boolean showsWriter(MemoryNode node) {
        return node.hasOutsideWriter() && !hidesWriters;
    }

    void sync(MemoryNode node) {
        if (ignoresSyncs || (ignoresSyncsOfIncoming && incoming.containsValue(node))) {
            return;
        }
        if (!ignoresSyncsWithoutContent || !node.isSynced()) {
            node.sync();
        }
        names.forEach((id, named) -> {
            if (named == node) {
                remember(id, node);
            }
        });
    }

    private void remember(ReplicaId id, MemoryNode node) {
        ReplicaDescription says = node.description();
        if (says == null || says.getKind() == ReplicaKind.REPLICA_KIND_PRIMARY) {
            held.computeIfAbsent(id, unknown -> new HashSet<>()).add(node.syncedFingerprint());
        }
    }

    void syncName(ReplicaId id) {
        if (ignoresSyncs) {
            return;
        }
        MemoryNode node = names.get(id);
        if (node == null) {
            syncedNames.remove(id);
        } else {
            syncedNames.put(id, node);
        }
    }

    void syncAll() {
        if (!ignoresSyncs) {
            names.values().forEach(this::sync);
            incoming.values().forEach(this::sync);
            syncedNames.clear();
            syncedNames.putAll(names);
        }
    }

    void quarantine(ReplicaId id) {
        names.remove(id);
        syncedNames.remove(id);
        lost.add(id.fileName());
    }

    byte @Nullable [] identity() {
        return identity;
    }

    void setIdentity(byte[] bytes) {
        identity = bytes.clone();
    }
}
