package org.beefs.queenbee.testing;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import org.beefs.common.wire.QueenReply;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.namespace.Dentry;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Xattrs;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.session.Session;
import org.jspecify.annotations.Nullable;

/** Everything that has to be the same after a restart, as lines of text. */
public final class Dump {
    private static final int ANSWERS = 10_000;

    private Dump() {}

    public static List<String> of(QueenState state) {
        List<Inode> inodes = new ArrayList<>();
        state.namespace().forEach(inodes::add);
        inodes.sort(Comparator.comparingLong(Inode::number));
        List<String> lines = new ArrayList<>();
        lines.add("hive " + hex(state.hive()) + " dirty " + state.namespace().dirtyFiles());
        inodes.forEach(inode -> add(inode, lines));
        state.sessions().all().forEach(session -> add(session, lines));
        state.honeycombs().all().forEach(honeycomb -> add(honeycomb, lines));
        lines.add("drops " + state.honeycombs().errandQueues().pendingDrops());
        return lines;
    }

    private static void add(Inode inode, List<String> lines) {
        lines.add("inode %d mode %o links %d owner %d:%d size %d blocks %d times %d %d %d %d device %d"
                .formatted(
                        inode.number(),
                        inode.mode(),
                        inode.links(),
                        inode.uid(),
                        inode.gid(),
                        inode.size(),
                        inode.blocks(),
                        inode.atime(),
                        inode.mtime(),
                        inode.ctime(),
                        inode.btime(),
                        inode.device()));
        lines.add("  honeycomb %d generation %d epoch %d version %d committed %d dirty %b unsealed %b"
                .formatted(
                        inode.honeycomb(),
                        inode.generation(),
                        inode.epoch(),
                        inode.version(),
                        inode.committedMtime(),
                        inode.dirty(),
                        inode.unsealed()));
        Xattrs xattrs = inode.xattrs();
        if (xattrs != null) {
            xattrs.names().forEach(name -> lines.add("  xattr " + hex(name) + " = " + hex(xattrs.get(name))));
        }
        if (inode.isSymbolicLink()) {
            lines.add("  target " + Arrays.toString(inode.target()));
        }
        if (inode.isDirectory()) {
            lines.add("  parent %d next %d size %d"
                    .formatted(
                            inode.directory().parent().number(),
                            inode.directory().nextCookie(),
                            inode.directory().size()));
            inode.directory().visit(0, entry -> lines.add("  " + text(entry)));
        }
    }

    private static String text(Dentry entry) {
        return "entry %d %s -> %d"
                .formatted(entry.cookie(), hex(entry.name()), entry.inode().number());
    }

    private static void add(Session session, List<String> lines) {
        lines.add("session %d of %s process %d".formatted(session.number(), session.desktop(), session.process()));
        for (long sequence = 0; sequence < ANSWERS; sequence++) {
            QueenReply answer = session.answers().find(sequence);
            // What changed nothing is kept in memory only.
            if (answer != null && answer.getSequence() != 0) {
                lines.add("  answer " + sequence + " " + answer);
            }
        }
    }

    private static void add(Honeycomb honeycomb, List<String> lines) {
        lines.add("honeycomb %d %s boot %d on %s"
                .formatted(
                        honeycomb.number(),
                        hex(honeycomb.uuid()),
                        honeycomb.lastStart().boot(),
                        honeycomb.desktop()));
    }

    private static String hex(@Nullable ByteString bytes) {
        return bytes == null ? "none" : HexFormat.of().formatHex(bytes.toByteArray());
    }
}
