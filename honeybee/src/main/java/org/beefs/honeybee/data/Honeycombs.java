package org.beefs.honeybee.data;

import com.google.protobuf.ByteString;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.replica.LocalReplicaAccess;
import org.beefs.common.replica.ReplicaAccess;
import org.beefs.common.wire.Layout;
import org.beefs.common.wire.ReplicaPlace;
import org.jspecify.annotations.Nullable;

/** Where content is: in this process, or in another desktop's honeycomb. Thread-safe. */
public final class Honeycombs {
    private final DataWorld world;
    private final @Nullable LocalReplicas local;
    private final HoneycombConnections connections;
    private final WriteBehind writeBehind;
    private final ReadAhead readAhead;

    public Honeycombs(DataWorld world, @Nullable LocalReplicas local) {
        this.world = world;
        this.local = local;
        this.connections = new HoneycombConnections(world, this::restarted);
        this.writeBehind = new WriteBehind(
                world.leases(),
                world.config().maxHeldBack(),
                () -> connections.startAnew("what is under way must not be written before the queen-bee was asked"));
        world.sending().holdBack(writeBehind);
        this.readAhead = new ReadAhead(world.leases()::readableFile, world.rpc().timers(), this::readFiles);
    }

    private void restarted() {
        writeBehind.restarted();
    }

    /** The connections with honeycombs of other desktops. */
    public HoneycombConnections connections() {
        return connections;
    }

    /** Writes to honeycombs on other desktops that are held back here. */
    public WriteBehind writeBehind() {
        return writeBehind;
    }

    /** Small files of other desktops that somebody is about to read. */
    public ReadAhead readAhead() {
        return readAhead;
    }

    /**
     * The honeycomb that has the primary replica; it is asked once the writes that are held back have come there. Fails
     * with EIO for a file that has none.
     */
    public ReplicaAccess at(Layout layout) {
        LocalReplicaAccess own = local(layout);
        return own != null ? own : flushed(primary(layout), layout.getInode());
    }

    /** As {@link #at(Layout)}, any honeycomb that has a replica of the file. */
    public ReplicaAccess at(ReplicaPlace place, long inode) {
        LocalReplicaAccess own = local(place.getHoneycomb());
        return own != null ? own : flushed(place, inode);
    }

    /**
     * As {@link #at(Layout)}, without waiting for the writes that are held back: to bring these there, as long as that
     * is wanted. Fails with EIO afterwards, also when the primary has come to this desktop meanwhile; with EAGAIN when
     * they may not be sent before a registration.
     */
    public ReplicaAccess bypassingWriteBehind(Layout layout, BooleanSupplier wanted) {
        Leave leave = new Leave(wanted, world.sending()::holds);
        leave.check();
        LocalReplicaAccess own = local(layout);
        return own != null ? own : remote(primary(layout), layout.getInode()).writingWith(leave);
    }

    private FlushedReplicas flushed(ReplicaPlace place, long inode) {
        return new FlushedReplicas(remote(place, inode), writeBehind);
    }

    private RemoteReplicas remote(ReplicaPlace place, long inode) {
        if (place.getHoneycomb().isEmpty()) {
            throw new PosixException(Errno.EIO, "file %d has no honeycomb".formatted(inode));
        }
        return connections.to(place, inode);
    }

    /** Reads small files of one honeycomb, whole. */
    private CompletableFuture<List<byte[]>> readFiles(List<Layout> files) {
        Layout first = files.getFirst();
        return connections.to(primary(first), first.getInode()).readFiles(files, ReadAhead.PATIENCE);
    }

    /** Where the primary replica is. */
    public static ReplicaPlace primary(Layout layout) {
        return ReplicaPlace.newBuilder()
                .setHoneycomb(layout.getHoneycomb())
                .setAddress(layout.getAddress())
                .setDesktop(layout.getDesktop())
                .build();
    }

    /** The honeycomb of this process, if that has the primary replica. */
    public @Nullable LocalReplicaAccess local(Layout layout) {
        return local(layout.getHoneycomb());
    }

    private @Nullable LocalReplicaAccess local(ByteString honeycomb) {
        return local != null && local.honeycomb().equals(honeycomb) ? local.replicas() : null;
    }

    /** Whether the file's primary is in the honeycomb of this process. */
    public boolean isPrimary(Layout layout) {
        return isHere(layout.getHoneycomb());
    }

    /**
     * How often the honeycomb that has the primary was found to run anew: what it had answered before may have gone
     * with its machine's power. One with which there is no connection may run anew without anybody's having noticed.
     */
    public long restarts(Layout layout) {
        return isPrimary(layout) ? 0 : connections.restarts(layout.getHoneycomb());
    }

    /** Whether the honeycomb that has the primary is this process's, or there is a connection with it. */
    public boolean isConnected(Layout layout) {
        return isPrimary(layout) || connections.has(layout.getHoneycomb());
    }

    /** Whether that is the honeycomb of this process. */
    public boolean isHere(ByteString honeycomb) {
        return local(honeycomb) != null;
    }

    /** The replicas in the honeycomb of this process; null when it has none. */
    public @Nullable LocalReplicaAccess own() {
        return local == null ? null : local.replicas();
    }

    /**
     * Whether content can be read by this layout at once: from the honeycomb of this process, or over a connection that
     * is there.
     */
    public boolean isAtHand(Layout layout) {
        return !isElsewhere(layout) || connections.has(layout.getHoneycomb());
    }

    /** Whether the honeycomb of this process has none of the replicas that the layout names, though it could. */
    public boolean lacks(Layout layout) {
        return local != null && isElsewhere(layout);
    }

    /** Whether all replicas that the layout names are on other desktops. */
    public boolean isElsewhere(Layout layout) {
        return !isPrimary(layout)
                && layout.getSecondariesList().stream().noneMatch(place -> isHere(place.getHoneycomb()));
    }
}
