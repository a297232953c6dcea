package org.beefs.honeybee.cache;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.FileMode;
import org.beefs.common.time.ManualTimers;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Create;
import org.beefs.common.wire.Credentials;
import org.beefs.common.wire.DirectoryEntry;
import org.beefs.common.wire.DirectoryPage;
import org.beefs.common.wire.EntryName;
import org.beefs.common.wire.Failure;
import org.beefs.common.wire.GetAttributes;
import org.beefs.common.wire.Layout;
import org.beefs.common.wire.Link;
import org.beefs.common.wire.ListDirectory;
import org.beefs.common.wire.Lookup;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Recall;
import org.beefs.common.wire.Registered;
import org.beefs.common.wire.Unlink;
import org.beefs.honeybee.heldback.SendingTerm;

/** What tests of the cache share: a desktop with one mount that is registered, and answers that lease everything. */
abstract class CacheTest {
    static final Credentials ROOT = Credentials.getDefaultInstance();
    static final Registered TERMS =
            Registered.newBuilder().setCacheMillis(4_000).setLeaseMillis(30_000).build();
    static final long WHOLE_LEASE = Duration.ofMillis(TERMS.getLeaseMillis()).toNanos();
    static final long DIRECTORY = 1;

    final ManualTimers timers = new ManualTimers();
    final InodeSupply supply = new InodeSupply();
    final MetadataCache cache =
            new MetadataCache(timers.clock(), timers, new SendingTerm(timers.clock(), timers), supply, 100, 100);
    final RecordingKernel kernel = new RecordingKernel();
    final CacheView view = cache.view();

    CacheTest() {
        view.attach(kernel);
        cache.registered(timers.clock().bootNanos(), TERMS);
    }

    static ByteString name(String name) {
        return ByteString.copyFromUtf8(name);
    }

    static Node file(long inode) {
        return Node.newBuilder()
                .setAttributes(Attributes.newBuilder().setInode(inode).setMode(FileMode.REGULAR | 0644))
                .setLayout(Layout.newBuilder().setInode(inode))
                .setAttributesLeased(true)
                .build();
    }

    static Node dirty(long inode) {
        Node.Builder file = file(inode).toBuilder();
        file.getLayoutBuilder().setDirty(true);
        return file.build();
    }

    static Node directory(long inode, int permissions) {
        return Node.newBuilder()
                .setAttributes(Attributes.newBuilder().setInode(inode).setMode(FileMode.DIRECTORY | permissions))
                .setAttributesLeased(true)
                .build();
    }

    static QueenRequest lookup(String name) {
        return QueenRequest.newBuilder()
                .setLookup(Lookup.newBuilder().setParent(DIRECTORY).setName(name(name)))
                .build();
    }

    static QueenRequest create(String name) {
        return QueenRequest.newBuilder()
                .setCreate(Create.newBuilder()
                        .setParent(DIRECTORY)
                        .setName(name(name))
                        .setExclusive(true)
                        .setWrite(true))
                .build();
    }

    static QueenRequest unlink(String name) {
        return QueenRequest.newBuilder()
                .setUnlink(Unlink.newBuilder().setParent(DIRECTORY).setName(name(name)))
                .build();
    }

    static QueenRequest link(long inode, String name) {
        return QueenRequest.newBuilder()
                .setLink(Link.newBuilder().setInode(inode).setParent(DIRECTORY).setName(name(name)))
                .build();
    }

    static QueenRequest attributes(long inode) {
        return QueenRequest.newBuilder()
                .setGetAttributes(GetAttributes.newBuilder().setInode(inode))
                .build();
    }

    static QueenRequest list(long after) {
        return QueenRequest.newBuilder()
                .setListDirectory(ListDirectory.newBuilder()
                        .setInode(DIRECTORY)
                        .setAfter(after)
                        .setLimit(100)
                        .setWithNodes(true))
                .build();
    }

    static QueenReply reply(Node node) {
        return QueenReply.newBuilder().setNode(node).setEntryLeased(true).build();
    }

    /** Of a change that has made something in the directory, or removed it. */
    static QueenReply.Builder changed() {
        return QueenReply.newBuilder().setEntryLeased(true).addTouched(directory(DIRECTORY, 0755));
    }

    static QueenReply absent() {
        return QueenReply.newBuilder()
                .setEntryLeased(true)
                .setFailure(Failure.newBuilder().setErrno(Errno.ENOENT.number()))
                .build();
    }

    /** A page of entries called {@code f5} and so on by their inodes, which are their cookies too. */
    static QueenReply page(boolean end, long... inodes) {
        DirectoryPage.Builder page =
                DirectoryPage.newBuilder().setParent(DIRECTORY).setLeased(true).setEnd(end);
        for (long inode : inodes) {
            page.addEntries(DirectoryEntry.newBuilder()
                    .setName(name("f" + inode))
                    .setInode(inode)
                    .setType(FileMode.REGULAR)
                    .setCookie(inode)
                    .setNode(file(inode)));
        }
        return QueenReply.newBuilder().setDirectoryPage(page).build();
    }

    /** The queen-bee answers at once what this mount asks. */
    CompletableFuture<Void> answer(QueenRequest request, QueenReply reply) {
        return cache.answered(cache.stamp(), request, reply, view);
    }

    static Recall recallOf(String... names) {
        Recall.Builder recall = Recall.newBuilder();
        for (String name : names) {
            recall.addEntries(EntryName.newBuilder().setDirectory(DIRECTORY).setName(name(name)));
        }
        return recall.build();
    }

    static Recall recallOf(long... inodes) {
        Recall.Builder recall = Recall.newBuilder();
        Arrays.stream(inodes).forEach(recall::addInodes);
        return recall.build();
    }

    /** Recalls, answers, and says what was released. */
    List<Long> recall(Recall recall) {
        return cache.recall(recall).join();
    }

    void pass(Duration time) {
        timers.advance(time);
    }

    /** Somebody hears of the queen-bee all the time meanwhile. */
    void passHearing(Duration time) {
        for (long second = 0; second < time.toSeconds(); second++) {
            pass(Duration.ofSeconds(1));
            cache.heard(timers.clock().bootNanos());
        }
    }
}
