package org.beefs.queenbee.testing;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.DirectoryEntry;
import org.beefs.common.wire.DirectoryPage;
import org.beefs.common.wire.EntryName;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Recall;
import org.beefs.queenbee.namespace.Dentry;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.namespace.PackedTime;
import org.jspecify.annotations.Nullable;

/**
 * A desktop that caches as much and as long as its leases allow, and uses it until the moment at which it answers a
 * recall.
 */
public final class CacheModel {
    private record Name(long directory, ByteString name) {}

    private static final Duration CACHE_TIME = Duration.ofSeconds(4);

    private final ManualTime time;
    private final Map<Long, Node> nodes = new HashMap<>();

    /** The inode that a name stands for, or none. */
    private final Map<Name, Optional<Long>> entries = new HashMap<>();

    /** Directories of which all names are known. */
    private final Set<Long> complete = new HashSet<>();

    private long believedFrom;

    public CacheModel(ManualTime time) {
        this.time = time;
    }

    /** What it has cached, in things. */
    public int size() {
        return nodes.size() + entries.size();
    }

    /** It registers: nothing is believed any more. */
    public void forget() {
        nodes.clear();
        entries.clear();
        complete.clear();
        believedFrom = time.bootNanos();
    }

    /** A reply came to a request that was sent then. */
    public void answered(QueenRequest request, QueenReply reply, long sentNanos) {
        if (reply.getUnknownSession()) {
            return;
        }
        forgetIfSilent();
        if (isOver(sentNanos)) {
            forget();
            believedFrom = sentNanos;
            return;
        }
        believedFrom = Math.max(believedFrom, sentNanos);
        reply.getTouchedList().forEach(this::take);
        if (reply.hasNode()) {
            take(reply.getNode());
        }
        if (reply.hasDirectoryPage()) {
            take(request, reply.getDirectoryPage());
        }
        if (reply.getNode().getEntriesLeased()) {
            complete.add(reply.getNode().getAttributes().getInode());
        }
        takeEntries(request, reply);
    }

    /** A recall came; what is returned happens when it is answered. */
    public Runnable recalled(Recall recall) {
        if (recall.getEverything()) {
            Map<Long, Node> oldNodes = new HashMap<>(nodes);
            Map<Name, Optional<Long>> oldEntries = new HashMap<>(entries);
            return () -> {
                oldNodes.forEach(nodes::remove);
                oldEntries.forEach(entries::remove);
                complete.clear();
                drop(recall);
            };
        }
        return () -> drop(recall);
    }

    /** Whatever is cached and still believed is as it really is. */
    public void check(String who, Namespace namespace) {
        forgetIfSilent();
        nodes.forEach((number, node) -> {
            Inode inode = namespace.find(number);
            assertThat(inode).as("%s has cached inode %d", who, number).isNotNull();
            if (inode != null) {
                check(who, inode, node);
            }
        });
        entries.forEach((name, inode) -> assertThat(inode)
                .as("%s has cached %s", who, name)
                .isEqualTo(Optional.ofNullable(find(namespace, name))));
        for (long directory : complete) {
            Inode inode = namespace.find(directory);
            if (inode != null) {
                inode.directory().visit(0, entry -> {
                    assertThat(entries).as("%s knows all of %d", who, directory).containsKey(nameOf(inode, entry));
                    return true;
                });
            }
        }
    }

    private void check(String who, Inode inode, Node cached) {
        Attributes attributes = cached.getAttributes();
        assertThat(attributes.getMode())
                .as("mode at %s of %d", who, inode.number())
                .isEqualTo(inode.mode());
        assertThat(attributes.getLinks())
                .as("links at %s of %d", who, inode.number())
                .isEqualTo(inode.links());
        assertThat(attributes.getUid())
                .as("owner at %s of %d", who, inode.number())
                .isEqualTo(inode.uid());
        if (!cached.getLayout().getDirty()) {
            assertThat(inode.dirty())
                    .as("%s takes %d for clean", who, inode.number())
                    .isFalse();
            assertThat(attributes.getSize())
                    .as("size at %s of %d", who, inode.number())
                    .isEqualTo(inode.size());
            assertThat(attributes.getMtime())
                    .as("mtime at %s of %d", who, inode.number())
                    .isEqualTo(PackedTime.toWire(inode.mtime()));
            assertThat(attributes.getCtime())
                    .as("ctime at %s of %d", who, inode.number())
                    .isEqualTo(PackedTime.toWire(inode.ctime()));
        }
    }

    private static @Nullable Long find(Namespace namespace, Name name) {
        Inode directory = namespace.find(name.directory);
        Dentry entry = directory == null ? null : directory.directory().find(name.name);
        return entry == null ? null : entry.inode().number();
    }

    private static Name nameOf(Inode directory, Dentry entry) {
        return new Name(directory.number(), entry.name());
    }

    private void forgetIfSilent() {
        if (isOver(believedFrom)) {
            forget();
        }
    }

    private boolean isOver(long sinceNanos) {
        return time.bootNanos() - sinceNanos >= CACHE_TIME.toNanos();
    }

    private void take(Node node) {
        long inode = node.getAttributes().getInode();
        if (node.getAttributesLeased()) {
            nodes.put(inode, node);
        } else {
            nodes.remove(inode);
        }
    }

    private void take(QueenRequest request, DirectoryPage page) {
        long directory = request.getListDirectory().getInode();
        for (DirectoryEntry entry : page.getEntriesList()) {
            if (page.getLeased()) {
                entries.put(new Name(directory, entry.getName()), Optional.of(entry.getInode()));
            }
            if (entry.hasNode()) {
                take(entry.getNode());
            }
        }
        if (page.getLeased() && page.getEnd() && request.getListDirectory().getAfter() == 0) {
            complete.add(directory);
        }
    }

    private void takeEntries(QueenRequest request, QueenReply reply) {
        if (reply.hasFailure() && !request.hasLookup()) {
            return;
        }
        Optional<Long> made =
                reply.hasNode() ? Optional.of(reply.getNode().getAttributes().getInode()) : Optional.empty();
        switch (request.getOperationCase()) {
            case LOOKUP ->
                take(request.getLookup().getParent(), request.getLookup().getName(), made, reply);
            case CREATE ->
                take(request.getCreate().getParent(), request.getCreate().getName(), made, reply);
            case MAKE_NODE ->
                take(request.getMakeNode().getParent(), request.getMakeNode().getName(), made, reply);
            case MAKE_DIRECTORY ->
                take(
                        request.getMakeDirectory().getParent(),
                        request.getMakeDirectory().getName(),
                        made,
                        reply);
            case LINK -> take(request.getLink().getParent(), request.getLink().getName(), made, reply);
            case UNLINK ->
                take(request.getUnlink().getParent(), request.getUnlink().getName(), made, reply);
            case REMOVE_DIRECTORY ->
                take(
                        request.getRemoveDirectory().getParent(),
                        request.getRemoveDirectory().getName(),
                        made,
                        reply);
            case RENAME -> {
                drop(request.getRename().getOldParent(), request.getRename().getOldName());
                drop(request.getRename().getNewParent(), request.getRename().getNewName());
            }
            default -> {}
        }
    }

    private void take(long directory, ByteString name, Optional<Long> inode, QueenReply reply) {
        if (reply.getEntryLeased()) {
            entries.put(new Name(directory, name), inode);
        } else {
            drop(directory, name);
        }
    }

    private void drop(Recall recall) {
        recall.getInodesList().forEach(nodes::remove);
        for (EntryName entry : recall.getEntriesList()) {
            drop(entry.getDirectory(), entry.getName());
        }
    }

    private void drop(long directory, ByteString name) {
        entries.remove(new Name(directory, name));
        complete.remove(directory);
    }
}
