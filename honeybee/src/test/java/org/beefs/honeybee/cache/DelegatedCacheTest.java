package org.beefs.honeybee.cache;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.posix.Timestamps;
import org.beefs.common.wire.Create;
import org.beefs.common.wire.Credentials;
import org.beefs.common.wire.GetAttributes;
import org.beefs.common.wire.Layout;
import org.beefs.common.wire.ListDirectory;
import org.beefs.common.wire.Lookup;
import org.beefs.common.wire.MakeDirectory;
import org.beefs.common.wire.NewInodes;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.RemoveDirectory;
import org.beefs.common.wire.Rename;
import org.beefs.common.wire.SetAttributes;
import org.beefs.common.wire.Timestamp;
import org.beefs.common.wire.Unlink;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;

/** A desktop that holds the delegation of a directory, HOME, and what may happen to it. */
abstract class DelegatedCacheTest extends CacheTest {
    static final Credentials USER =
            Credentials.newBuilder().setUid(1000).setGid(1000).build();
    static final long HOME = 50;
    static final long FIRST = 1000;

    @BeforeEach
    void makeHome() {
        supply.take(numbers(FIRST, 20));
        delegate(HOME, 0755);
    }

    /** The queen-bee answers the making of a directory, and delegates it. */
    void delegate(long inode, int permissions) {
        delegate(directory(inode, permissions).toBuilder());
    }

    void delegate(Node.Builder made) {
        made.getAttributesBuilder().setLinks(2);
        QueenReply reply = changed()
                .setNode(made.setDelegated(true).setEntriesLeased(true))
                .setEntryCookie(made.getAttributes().getInode())
                .build();
        answer(makeDirectory(DIRECTORY, "home" + made.getAttributes().getInode()), reply);
    }

    Decided decided(QueenRequest change) {
        Decided decided = cache.decide(change, view, () -> true);
        assertThat(decided).as("%s is decided", change).isNotNull();
        return Objects.requireNonNull(decided);
    }

    void asked(QueenRequest... changes) {
        for (QueenRequest change : changes) {
            assertThat(cache.decide(change, view, () -> true)).as("%s", change).isNull();
        }
    }

    /** The queen-bee answers as she was expected to, and says where the name is. */
    void answer(Decided decided, long cookie) {
        QueenReply reply = decided.reply().toBuilder().setEntryCookie(cookie).build();
        cache.answeredDecided(decided, timers.clock().bootNanos(), reply);
    }

    @Nullable
    Long find(String name) {
        return find(HOME, name);
    }

    /** 0 when there is certainly no such name, null when that is not known. */
    @Nullable
    Long find(long directory, String name) {
        try {
            CompletableFuture<Node> found = cache.lookup(ROOT, directory, name(name));
            return found == null ? null : found.join().getAttributes().getInode();
        } catch (PosixException e) {
            assertThat(e.errno()).isEqualTo(Errno.ENOENT);
            return 0L;
        }
    }

    Node node(long inode) {
        return Objects.requireNonNull(cache.node(inode));
    }

    Timestamp now() {
        return Timestamps.toWire(timers.clock().now());
    }

    static NewInodes numbers(long first, int count) {
        return NewInodes.newBuilder()
                .setFirst(first)
                .setCount(count)
                .setLayout(Layout.newBuilder()
                        .setEpoch(3)
                        .setHoneycomb(ByteString.copyFromUtf8("own"))
                        .setDirty(true))
                .build();
    }

    static QueenRequest by(Credentials caller, QueenRequest change) {
        return change.toBuilder().setCredentials(caller).build();
    }

    static QueenRequest create(String name) {
        return create(HOME, name);
    }

    static QueenRequest create(long parent, String name) {
        return QueenRequest.newBuilder()
                .setCreate(Create.newBuilder()
                        .setParent(parent)
                        .setName(name(name))
                        .setMode(0644)
                        .setRead(true)
                        .setWrite(true))
                .build();
    }

    static QueenRequest makeDirectory(String name) {
        return makeDirectory(HOME, name);
    }

    static QueenRequest makeDirectory(long parent, String name) {
        return QueenRequest.newBuilder()
                .setMakeDirectory(MakeDirectory.newBuilder()
                        .setParent(parent)
                        .setName(name(name))
                        .setMode(0755))
                .build();
    }

    static QueenRequest unlink(long parent, String name) {
        return QueenRequest.newBuilder()
                .setUnlink(Unlink.newBuilder().setParent(parent).setName(name(name)))
                .build();
    }

    static QueenRequest rename(String from, String to) {
        return rename(Rename.newBuilder()
                .setOldParent(HOME)
                .setOldName(name(from))
                .setNewParent(HOME)
                .setNewName(name(to)));
    }

    static QueenRequest rename(Rename.Builder rename) {
        return QueenRequest.newBuilder().setRename(rename).build();
    }

    static QueenRequest removeDirectory(String name) {
        return QueenRequest.newBuilder()
                .setRemoveDirectory(RemoveDirectory.newBuilder().setParent(HOME).setName(name(name)))
                .build();
    }

    static QueenRequest chmod(long inode, int mode) {
        return set(SetAttributes.newBuilder().setInode(inode).setMode(mode));
    }

    static QueenRequest chown(long inode, int uid, int gid) {
        return set(SetAttributes.newBuilder().setInode(inode).setUid(uid).setGid(gid));
    }

    static QueenRequest times(long inode) {
        return set(SetAttributes.newBuilder()
                .setInode(inode)
                .setAtimeNow(true)
                .setMtime(Timestamp.newBuilder().setSeconds(5))
                .setHandle(1));
    }

    static QueenRequest clearPrivileges(long inode) {
        return set(SetAttributes.newBuilder().setInode(inode).setClearPrivileges(true));
    }

    static QueenRequest set(SetAttributes.Builder set) {
        return QueenRequest.newBuilder().setSetAttributes(set).build();
    }

    static QueenRequest lookup(long parent, String name) {
        return QueenRequest.newBuilder()
                .setLookup(Lookup.newBuilder().setParent(parent).setName(name(name)))
                .build();
    }

    static QueenRequest listed(long directory) {
        return QueenRequest.newBuilder()
                .setListDirectory(ListDirectory.newBuilder()
                        .setInode(directory)
                        .setLimit(100)
                        .setWithNodes(true))
                .build();
    }

    static QueenRequest attributes(long inode) {
        return QueenRequest.newBuilder()
                .setGetAttributes(GetAttributes.newBuilder().setInode(inode))
                .build();
    }
}
