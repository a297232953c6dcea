package org.beefs.honeybee.cache;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.time.Instant;
import org.beefs.common.posix.AccessRights;
import org.beefs.common.posix.FileMode;
import org.beefs.common.posix.FileName;
import org.beefs.common.posix.Stat;
import org.beefs.common.posix.Timestamps;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Create;
import org.beefs.common.wire.Credentials;
import org.beefs.common.wire.Decision;
import org.beefs.common.wire.Layout;
import org.beefs.common.wire.MakeDirectory;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Rename;
import org.beefs.common.wire.SetAttributes;
import org.beefs.common.wire.SetXattr;
import org.beefs.common.wire.Timestamp;
import org.jspecify.annotations.Nullable;

/**
 * Decides changes under delegations: says what the queen-bee is going to answer. Only what succeeds, and follows from
 * what is cached without any doubt, is decided here; all else she is asked. The rules are those of her operations.
 * Guarded by the cache's lock.
 */
final class Decider {
    /**
     * A time of day that is earlier by more than this was set back; by less it may have come late from another thread.
     */
    private static final Duration SET_BACK = Duration.ofSeconds(1);

    private final NodeTable nodes;
    private final DirectoryTable directories;
    private final Delegations delegations;
    private final EffectsUnderWay pending;
    private final InodeSupply supply;
    private Instant last = Instant.EPOCH;

    Decider(
            NodeTable nodes,
            DirectoryTable directories,
            Delegations delegations,
            EffectsUnderWay pending,
            InodeSupply supply) {
        this.nodes = nodes;
        this.directories = directories;
        this.delegations = delegations;
        this.pending = pending;
        this.supply = supply;
    }

    /**
     * Decides a change, and says how the queen-bee is going to answer it; null when she has to be asked. The change
     * gets what was chosen, and may become another one that does the same.
     */
    @Nullable
    QueenReply decide(QueenRequest.Builder change, Instant present) {
        Timestamp now = Timestamps.toWire(later(present));
        return switch (change.getOperationCase()) {
            case CREATE -> create(change, now);
            case MAKE_DIRECTORY -> makeDirectory(change, now);
            case UNLINK ->
                remove(
                        change,
                        change.getUnlink().getParent(),
                        change.getUnlink().getName(),
                        now);
            case REMOVE_DIRECTORY ->
                remove(
                        change,
                        change.getRemoveDirectory().getParent(),
                        change.getRemoveDirectory().getName(),
                        now);
            case RENAME -> rename(change, now);
            case SET_ATTRIBUTES -> setAttributes(change, now);
            case SET_XATTR -> setMode(change, now);
            default -> null;
        };
    }

    /**
     * A time later than that of any decision before, because by its time a decision about an inode is known again. A
     * clock that was ahead is right again at once.
     */
    private Instant later(Instant present) {
        boolean wasAhead = present.plus(SET_BACK).isBefore(last);
        last = wasAhead || present.isAfter(last) ? present : last.plusNanos(1);
        return last;
    }

    private @Nullable QueenReply create(QueenRequest.Builder change, Timestamp now) {
        Create create = change.getCreate();
        Node parent = changeable(change.getCredentials(), create.getParent());
        if (parent == null || !create.getWrite() || !isFree(create.getParent(), create.getName())) {
            return null;
        }
        InodeSupply.Place place = supply.place(change.getAvailable());
        long inode = place == null ? 0 : supply.number();
        if (place == null || inode == 0) {
            return null;
        }
        Layout layout = place.layout().toBuilder().setInode(inode).build();
        Decision.Builder chosen = choose(change, now, inode).setEpoch(layout.getEpoch());
        if (place.elsewhere()) {
            chosen.setHoneycomb(layout.getHoneycomb());
        }
        int mode = FileMode.REGULAR | (create.getMode() & ~create.getUmask() & FileMode.PERMISSIONS);
        Node.Builder made = made(inode, mode, 1, change.getCredentials(), now)
                .setLayout(InodeSupply.toWrite(layout))
                .setCreated(true)
                .setWriteLeased(place.elsewhere());
        return answer(made, after(parent, 0, now));
    }

    private @Nullable QueenReply makeDirectory(QueenRequest.Builder change, Timestamp now) {
        MakeDirectory make = change.getMakeDirectory();
        Node parent = changeable(change.getCredentials(), make.getParent());
        long inode = parent == null || !isFree(make.getParent(), make.getName()) ? 0 : supply.number();
        if (parent == null || inode == 0) {
            return null;
        }
        choose(change, now, inode);
        int permissions =
                make.getMode() & ~make.getUmask() & FileMode.PERMISSIONS & ~FileMode.SET_UID & ~FileMode.SET_GID;
        Node.Builder made = made(inode, FileMode.DIRECTORY | permissions, 2, change.getCredentials(), now)
                .setEntriesLeased(true);
        made.getAttributesBuilder().setSize(Stat.DIRECTORY_SIZE).setBlocks(Stat.DIRECTORY_SIZE / Stat.BLOCK);
        return answer(made, after(parent, 1, now));
    }

    /** Removes the only name of a file, or a directory that is certainly empty. */
    private @Nullable QueenReply remove(QueenRequest.Builder change, long directory, ByteString name, Timestamp now) {
        Node parent = changeable(change.getCredentials(), directory);
        CachedEntry entry = parent == null ? null : directories.find(directory, name);
        if (parent == null || entry == null || !isRemovable(entry, change.hasRemoveDirectory())) {
            return null;
        }
        Decision.Builder chosen = choose(change, now, entry.inode());
        if (change.hasUnlink()) {
            takesName(chosen, entry.inode());
        }
        return QueenReply.newBuilder()
                .setEntryLeased(true)
                .addTouched(after(parent, change.hasRemoveDirectory() ? -1 : 0, now))
                .build();
    }

    /** Renames a file within its directory, to a name that is free, or is the only one of another file. */
    private @Nullable QueenReply rename(QueenRequest.Builder change, Timestamp now) {
        Rename rename = change.getRename();
        long directory = rename.getOldParent();
        boolean within = directory == rename.getNewParent() && !rename.getExchange();
        Node parent = within ? changeable(change.getCredentials(), directory) : null;
        CachedEntry moved = parent == null ? null : directories.find(directory, rename.getOldName());
        if (parent == null || moved == null || !isRemovable(moved, false)) {
            return null;
        }
        boolean free = isFree(directory, rename.getNewName());
        CachedEntry replaced = free ? null : directories.find(directory, rename.getNewName());
        if (!free && (replaced == null || rename.getNoReplace() || !isReplaceable(replaced, moved))) {
            return null;
        }
        Decision.Builder chosen = choose(change, now, moved.inode());
        if (replaced != null) {
            takesName(chosen.setReplaced(replaced.inode()), replaced.inode());
        }
        QueenReply.Builder reply = QueenReply.newBuilder().setEntryLeased(true).addTouched(after(parent, 0, now));
        CachedNode known = nodes.find(moved.inode());
        if (known != null) {
            Node.Builder after = leased(known.node());
            after.getAttributesBuilder().setCtime(now);
            reply.addTouched(after);
        }
        return reply.build();
    }

    /** Says what the inode is like that loses its name, as {@link Decision#getFormerCtime}. */
    private void takesName(Decision.Builder chosen, long inode) {
        CachedNode known = nodes.find(inode);
        if (known != null && !known.isDirty()) {
            chosen.setFormerCtime(known.node().getAttributes().getCtime());
        }
    }

    private boolean isReplaceable(CachedEntry entry, CachedEntry by) {
        return entry.inode() != by.inode() && isRemovable(entry, false);
    }

    private boolean isRemovable(CachedEntry entry, boolean asDirectory) {
        long inode = entry.inode();
        if (entry.isAbsent()
                || !delegations.hasName(inode)
                || pending.concernsInode(inode)
                || FileMode.isDirectory(entry.type()) != asDirectory) {
            return false;
        }
        CachedDirectory known = asDirectory ? directories.find(inode) : null;
        return !asDirectory || (known != null && known.isEmpty() && !pending.concernsListing(inode));
    }

    private @Nullable QueenReply setAttributes(QueenRequest.Builder change, Timestamp now) {
        SetAttributes asked = change.getSetAttributes();
        long inode = asked.getInode();
        CachedNode known = !delegations.has(inode) || pending.concernsInode(inode) ? null : nodes.find(inode);
        if (known == null || !isPlain(known, asked) || !maySet(known.node(), asked, change.getCredentials())) {
            return null;
        }
        boolean opens = setsTimes(asked) && known.isDirty();
        Attributes before = known.node().getAttributes();
        choose(change, now, inode);
        if (!known.isDirty()) { // otherwise the times here are older than those of the replica
            change.getDecisionBuilder().setFormerCtime(before.getCtime());
        }
        Attributes.Builder after = before.toBuilder().setCtime(now).setMode(mode(before, asked));
        if (asked.hasUid()) {
            after.setUid(asked.getUid());
        }
        if (asked.hasGid()) {
            after.setGid(asked.getGid());
        }
        if (asked.getAtimeNow() || asked.hasAtime()) {
            after.setAtime(asked.hasAtime() ? asked.getAtime() : now);
        }
        if (asked.getMtimeNow() || asked.hasMtime()) {
            after.setMtime(asked.hasMtime() ? asked.getMtime() : now);
        }
        Node.Builder set = leased(known.node()).setAttributes(after);
        if (opens) {
            change.getDecisionBuilder().setOpens(true);
            set.setLayout(InodeSupply.toWrite(known.node().getLayout()));
        }
        return QueenReply.newBuilder().setNode(set).build();
    }

    /**
     * Sets the mode by an access control list that says no more. The queen-bee is then asked to set the mode, which
     * comes out the same, and may go together with other attributes.
     */
    private @Nullable QueenReply setMode(QueenRequest.Builder change, Timestamp now) {
        SetXattr asked = change.getSetXattr();
        CachedNode known = nodes.find(asked.getInode());
        SetAttributes set = known == null ? null : PlainAccessLists.asMode(asked, known.node());
        return set == null ? null : setAttributes(change.setSetAttributes(set), now);
    }

    /**
     * Whether it has no access control lists and no file capabilities, and the change is not only a clearing of
     * privileges.
     */
    private static boolean isPlain(CachedNode known, SetAttributes set) {
        Node node = known.node();
        boolean hasMore =
                !node.getAccessAcl().isEmpty() || !node.getDefaultAcl().isEmpty() || node.getFileCapabilities();
        boolean onlyClears = set.getClearPrivileges() && !setsOwner(set);
        return !onlyClears && !hasMore;
    }

    /**
     * Whether an owner or group is set: that takes privileges away in any case, also where Linux does not ask for it.
     */
    private static boolean setsOwner(SetAttributes set) {
        return set.hasUid() || set.hasGid();
    }

    private static boolean setsTimes(SetAttributes set) {
        return set.getAtimeNow() || set.hasAtime() || set.getMtimeNow() || set.hasMtime();
    }

    /**
     * Whether the caller may set these attributes. User 0 may set all; the owner what does not depend on groups, and
     * owner and group to what they are.
     */
    private static boolean maySet(Node node, SetAttributes set, Credentials caller) {
        Attributes present = node.getAttributes();
        boolean owns = caller.getUid() == present.getUid();
        boolean keeps = (!set.hasUid() || set.getUid() == present.getUid())
                && (!set.hasGid() || set.getGid() == present.getGid());
        boolean dependsOnGroup = ((set.getMode() | present.getMode()) & FileMode.SET_GID) != 0;
        return caller.getUid() == 0 || (owns && keeps && !dependsOnGroup);
    }

    /** A mode that is set wins over what a new owner takes from the old one. */
    private static int mode(Attributes before, SetAttributes set) {
        int type = before.getMode() & FileMode.TYPE_MASK;
        int mode = before.getMode() & FileMode.PERMISSIONS;
        if (set.hasMode()) {
            mode = set.getMode() & FileMode.PERMISSIONS;
        } else if (setsOwner(set) && !FileMode.isDirectory(type)) {
            mode = FileMode.withoutPrivileges(mode);
        }
        return type | mode;
    }

    /** The directory, if the caller may make and remove names in it, and what he makes inherits nothing; else null. */
    private @Nullable Node changeable(Credentials caller, long directory) {
        boolean certain =
                delegations.has(directory) && !pending.concernsInode(directory) && !pending.concernsListing(directory);
        CachedNode known = certain ? nodes.find(directory) : null;
        if (known == null || !known.node().getDefaultAcl().isEmpty()) {
            return null;
        }
        int mode = known.node().getAttributes().getMode();
        boolean special = (mode & (FileMode.SET_GID | FileMode.STICKY)) != 0;
        boolean allowed = AccessRights.allow(known.node(), caller, AccessRights.WRITE | AccessRights.EXECUTE);
        return special || !allowed ? null : known.node();
    }

    private boolean isFree(long directory, ByteString name) {
        CachedEntry entry = directories.find(directory, name);
        return entry != null
                && entry.isAbsent()
                && !name.isEmpty()
                && name.size() <= FileName.LONGEST
                && !FileName.isDots(name);
    }

    private static Decision.Builder choose(QueenRequest.Builder change, Timestamp now, long inode) {
        return change.getDecisionBuilder().setTime(now).setInode(inode);
    }

    private static Node.Builder made(long inode, int mode, int links, Credentials caller, Timestamp now) {
        return Node.newBuilder()
                .setAttributes(Attributes.newBuilder()
                        .setInode(inode)
                        .setMode(mode)
                        .setLinks(links)
                        .setUid(caller.getUid())
                        .setGid(caller.getGid())
                        .setAtime(now)
                        .setMtime(now)
                        .setCtime(now)
                        .setBtime(now))
                .setWithoutXattrs(true)
                .setAttributesLeased(true)
                .setDelegated(true);
    }

    private static QueenReply answer(Node.Builder made, Node parent) {
        return QueenReply.newBuilder()
                .setNode(made)
                .setEntryLeased(true)
                .addTouched(parent)
                .build();
    }

    /** The directory after a name in it was changed. */
    private static Node after(Node directory, int links, Timestamp now) {
        Attributes before = directory.getAttributes();
        return leased(directory)
                .setAttributes(before.toBuilder().setMtime(now).setCtime(now).setLinks(before.getLinks() + links))
                .build();
    }

    private static Node.Builder leased(Node known) {
        return known.toBuilder().setAttributesLeased(true);
    }
}
