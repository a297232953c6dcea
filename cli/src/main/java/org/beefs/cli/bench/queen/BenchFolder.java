package org.beefs.cli.bench.queen;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import org.beefs.common.wire.DirectoryEntry;
import org.beefs.common.wire.ListDirectory;
import org.beefs.common.wire.MakeDirectory;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.RemoveDirectory;
import org.beefs.common.wire.Unlink;

/** A session's own folder in the hive's top one, and its files. Not for the network's thread. */
final class BenchFolder {
    private static final long TOP = 1;
    private static final int PAGE = 1024;

    private final QueenSession session;
    private final ByteString name;
    private final long inode;
    private final List<Long> files = new ArrayList<>();

    private BenchFolder(QueenSession session, ByteString name, long inode) {
        this.session = session;
        this.name = name;
        this.inode = inode;
    }

    static BenchFolder make(QueenSession session, String name) throws InterruptedException {
        ByteString bytes = ByteString.copyFromUtf8(name);
        QueenReply made = session.ask(QueenRequest.newBuilder()
                .setMakeDirectory(
                        MakeDirectory.newBuilder().setParent(TOP).setName(bytes).setMode(0700)));
        return new BenchFolder(session, bytes, made.getNode().getAttributes().getInode());
    }

    /** Makes empty files to be looked at. */
    void fill(int count) throws InterruptedException {
        for (int file = 0; file < count; file++) {
            ChangeScript change = new ChangeScript(session, inode, looked(file));
            QueenReply made = session.ask(change.next());
            change.answered(made);
            session.ask(change.next());
            files.add(made.getNode().getAttributes().getInode());
        }
    }

    Script look(int file) {
        return new LookScript(inode, looked(file), files.get(file));
    }

    Script change(int file) {
        return new ChangeScript(session, inode, ByteString.copyFromUtf8("changed" + file));
    }

    /** With all that is in it. */
    void remove() throws InterruptedException {
        for (List<DirectoryEntry> page = page(); !page.isEmpty(); page = page()) {
            for (DirectoryEntry entry : page) {
                session.ask(QueenRequest.newBuilder()
                        .setUnlink(Unlink.newBuilder().setParent(inode).setName(entry.getName())));
            }
        }
        session.ask(QueenRequest.newBuilder()
                .setRemoveDirectory(RemoveDirectory.newBuilder().setParent(TOP).setName(name)));
    }

    private List<DirectoryEntry> page() throws InterruptedException {
        return session
                .ask(QueenRequest.newBuilder()
                        .setListDirectory(
                                ListDirectory.newBuilder().setInode(inode).setLimit(PAGE)))
                .getDirectoryPage()
                .getEntriesList()
                .stream()
                .filter(entry -> !entry.getName().toStringUtf8().matches("\\.{1,2}"))
                .toList();
    }

    private static ByteString looked(int file) {
        return ByteString.copyFromUtf8("looked" + file);
    }
}
