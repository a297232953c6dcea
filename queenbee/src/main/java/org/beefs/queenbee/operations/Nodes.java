package org.beefs.queenbee.operations;

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
import org.beefs.queenbee.replication.Settings;
import org.beefs.queenbee.session.Session;

/** Inodes as they are answered, with the lease on what the answer shows of them. */
final class Nodes {
    private final Honeycombs honeycombs;
    private final Leases leases;
    private final Settings settings;

    Nodes(QueenState state) {
        honeycombs = state.honeycombs();
        leases = state.leases();
        settings = state.replication().settings();
    }

    /** With the right to look at a replica, but not to use it. */
    Node of(Inode inode, Session session) {
        return builder(inode, session, false, false).build();
    }

    /** As {@link #of(Inode, Session)}, with where else a file can be read, which is of no use to who only lists. */
    Node located(Inode inode, Session session) {
        return opened(inode, session, false, false);
    }

    /** Of a file that is opened. */
    Node opened(Inode inode, Session session, boolean read, boolean write) {
        Node.Builder node = builder(inode, session, read, write);
        if (!inode.secondaries().isEmpty() && !inode.dirty()) {
            locate(inode.secondaries(), node.getLayoutBuilder());
        }
        return node.build();
    }

    private void locate(Secondaries secondaries, Layout.Builder layout) {
        secondaries
                .current()
                .mapToObj(honeycombs::numbered)
                .filter(Honeycomb::isConnected)
                .forEach(secondary -> layout.addSecondaries(secondary.toPlace()));
    }

    /** With the right to read or write a file's content. */
    private Node.Builder builder(Inode inode, Session session, boolean read, boolean write) {
        Node.Builder node = Node.newBuilder()
                .setAttributes(attributes(inode))
                .setAttributesLeased(leases.grantAttributes(session, inode))
                .setAccessAcl(inode.accessList())
                .setDefaultAcl(inode.defaultList());
        if (inode.isRegular()) {
            node.setLayout(layout(inode, session, read, write))
                    .setFileCapabilities(inode.xattr(FileCapabilities.XATTR) != null);
        }
        return node;
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

    private Layout layout(Inode inode, Session session, boolean read, boolean write) {
        Honeycomb honeycomb = honeycombs.of(inode);
        boolean here = honeycomb.session() == session; // what lies on his desktop nobody can keep from him
        Capability capability = Capability.newBuilder()
                .setSession(session.number())
                .setInode(inode.number())
                .setEpoch(inode.epoch())
                .setRead(read || here)
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
                .setDirty(inode.dirty())
                .setPFactor(settings.pFactor(inode))
                .setCapability(capability.toByteString())
                .setReadable(here);
        if (inode.version() != 0) {
            layout.setCommittedSize(inode.size()).setCommittedMtime(PackedTime.toWire(inode.committedMtime()));
        }
        return layout.build();
    }
}
