package org.beefs.queenbee.operations;

import java.util.function.Predicate;
import org.beefs.common.posix.FileCapabilities;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Capability;
import org.beefs.common.wire.Layout;
import org.beefs.common.wire.Node;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.hive.Honeycombs;
import org.beefs.queenbee.lease.Leases;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.PackedTime;
import org.beefs.queenbee.namespace.Secondaries;
import org.beefs.queenbee.replication.placement.Settings;
import org.beefs.queenbee.session.Session;

/** Inodes as they are answered, with the lease on what the answer shows of them. */
public final class Nodes {
    private final Honeycombs honeycombs;
    private final Leases leases;
    private final Settings settings;

    public Nodes(QueenState state) {
        honeycombs = state.honeycombs();
        leases = state.leases();
        settings = state.replication().settings();
    }

    /** The node of an inode, with the right to read a file's content, and where to do so. */
    public Node of(Inode inode, Session session) {
        return builder(inode, session, false, own(session)).build();
    }

    /** As {@link #of(Inode, Session)}, with all other replicas, which are of no use to who only lists. */
    public Node withAllReplicas(Inode inode, Session session) {
        return opened(inode, session, false);
    }

    /** The node of a file that is opened. */
    public Node opened(Inode inode, Session session, boolean write) {
        return builder(inode, session, write, Honeycomb::isConnected).build();
    }

    /** Selects the replica on the session's own desktop, the nearest there can be. */
    private static Predicate<Honeycomb> own(Session session) {
        return honeycomb -> honeycomb.session() == session;
    }

    /** @param secondaries which of them are told */
    private Node.Builder builder(Inode inode, Session session, boolean write, Predicate<Honeycomb> secondaries) {
        Node.Builder node = Node.newBuilder()
                .setAttributes(attributes(inode))
                .setAttributesLeased(leases.grantAttributes(session, inode))
                .setAccessAcl(inode.accessList())
                .setDefaultAcl(inode.defaultList())
                .setWithoutXattrs(inode.xattrs() == null);
        if (inode.isRegular()) {
            Layout.Builder layout = layout(inode, write);
            if (!inode.secondaries().isEmpty() && !inode.dirty()) {
                locate(inode.secondaries(), secondaries, layout);
            }
            node.setLayout(layout).setFileCapabilities(inode.xattr(FileCapabilities.XATTR) != null);
        }
        return node;
    }

    private void locate(Secondaries current, Predicate<Honeycomb> wanted, Layout.Builder layout) {
        current.current()
                .mapToObj(honeycombs::numbered)
                .filter(wanted)
                .forEach(secondary -> layout.addSecondaries(secondary.toPlace()));
    }

    private static Attributes attributes(Inode inode) {
        return Attributes.newBuilder()
                .setInode(inode.number())
                .setMode(inode.mode())
                .setLinks(inode.links())
                .setUid(inode.uid())
                .setGid(inode.gid())
                .setSize(inode.size())
                .setBlocks(inode.blocks())
                .setAtime(PackedTime.toWire(inode.atime()))
                .setMtime(PackedTime.toWire(inode.mtime()))
                .setCtime(PackedTime.toWire(inode.ctime()))
                .setBtime(PackedTime.toWire(inode.btime()))
                .setDevice(inode.device())
                .build();
    }

    /**
     * The layout of a file. The right to read is in each: a desktop says itself which of its users opens a file, so it
     * could get that in any case, and checks the user by the attributes that come along.
     */
    private Layout.Builder layout(Inode inode, boolean write) {
        Honeycomb honeycomb = honeycombs.of(inode);
        Capability capability = Capability.newBuilder()
                .setInode(inode.number())
                .setEpoch(inode.epoch())
                .setRead(true)
                .setWrite(write)
                .build();
        Layout.Builder layout = Layout.newBuilder()
                .setInode(inode.number())
                .setGeneration(inode.generation())
                .setEpoch(inode.epoch())
                .setVersion(inode.version())
                .setHoneycomb(honeycomb.uuid())
                .setAddress(honeycomb.address())
                .setDesktop(honeycomb.desktop())
                .setAwaySeconds(Math.toIntExact(honeycomb.absence().length().toSeconds()))
                .setDirty(inode.dirty())
                .setPFactor(settings.pFactor(inode))
                .setCapability(capability.toByteString())
                .setReadable(honeycomb.isConnected() && !inode.moving());
        if (inode.version() != 0) {
            layout.setCommittedSize(inode.size()).setCommittedMtime(PackedTime.toWire(inode.committedMtime()));
        }
        return layout;
    }
}
