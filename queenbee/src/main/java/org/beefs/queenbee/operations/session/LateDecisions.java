package org.beefs.queenbee.operations.session;

import com.google.protobuf.ByteString;
import org.beefs.common.posix.FileMode;
import org.beefs.common.wire.Create;
import org.beefs.common.wire.Decision;
import org.beefs.common.wire.MakeDirectory;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Rename;
import org.beefs.common.wire.SetAttributes;
import org.beefs.queenbee.namespace.Dentry;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Link;
import org.beefs.queenbee.namespace.Mutation;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.namespace.PackedTime;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.operations.Resolver;
import org.beefs.queenbee.operations.name.ConflictName;
import org.beefs.queenbee.session.Session;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides what becomes of changes that come late, because the desktop that has decided them was silent for too long and
 * has lost its delegation: what is done already is left alone, what others have changed since stays as they left it,
 * and what others have taken the place of gets another name. Belongs to the namespace thread.
 */
public final class LateDecisions {
    private static final int FOR_OTHERS = 077;
    private static final Logger LOG = LoggerFactory.getLogger(LateDecisions.class);

    /**
     * A place for an inode other than the one that was decided.
     *
     * @param inRoot in place of a directory that is gone: that may have been closed to others, and the root is not
     */
    private record Place(long parent, ByteString name, boolean inRoot) {
        /** The decided mode, or only what of it concerns the owner. */
        int mode(int decided) {
            return inRoot ? decided & ~FOR_OTHERS : decided;
        }
    }

    private final QueenState state;

    LateDecisions(QueenState state) {
        this.state = state;
    }

    /** Whether a decided change was made before, so that there is nothing to do. */
    public boolean isMade(QueenRequest body) {
        if (!body.hasDecision()) {
            return false;
        }
        long inode = body.getDecision().getInode();
        if (state.sessions().decisions().has(inode, body.getDecision().getTime())) {
            return true;
        }
        return switch (body.getOperationCase()) {
            case CREATE, MAKE_DIRECTORY ->
                state.namespace().find(inode) != null || state.records().isRemembered(inode);
            case UNLINK -> isGone(body.getUnlink().getParent(), body.getUnlink().getName(), inode);
            case REMOVE_DIRECTORY ->
                isGone(
                        body.getRemoveDirectory().getParent(),
                        body.getRemoveDirectory().getName(),
                        inode);
            case RENAME ->
                isGone(body.getRename().getOldParent(), body.getRename().getOldName(), inode);
            default -> state.namespace().find(inode) == null;
        };
    }

    /**
     * Whether somebody else has changed the inode since a desktop, which has lost the delegation of it, has set its
     * attributes or removed it: what he was told is newer, and stays.
     */
    public boolean isOvertaken(QueenRequest body, Session session) {
        Decision decision = body.getDecision();
        boolean mayBe = decision.hasFormerCtime() && !body.hasRename();
        Inode inode = mayBe ? state.namespace().find(decision.getInode()) : null;
        if (inode == null || !isChangedSince(decision, inode, session)) {
            return false;
        }
        LOG.warn(
                "{} set attributes of inode {} or removed it while it was cut off, and somebody has changed it since: it stays as it is now",
                session.desktop(),
                inode.number());
        return true;
    }

    /** Whether anybody but the session may have changed the inode that was as the decision says. */
    private boolean isChangedSince(Decision decision, Inode inode, Session session) {
        return decision.hasFormerCtime()
                && (inode.dirty() || inode.ctime() != PackedTime.of(decision.getFormerCtime()))
                && !state.leases().hasDelegation(session, inode);
    }

    private boolean isGone(long directory, ByteString name, long inode) {
        return !names(directory, name, inode) && elsewhere(inode) == null;
    }

    /**
     * The request as it is to be carried out now: with another name where the decided one is taken, in the root where
     * its directory is gone, with the present name of an inode that got another one than was decided, and with a mode
     * for the owner only where its author does not know yet that the inode is in the root.
     */
    public QueenRequest adapted(QueenRequest body, Session session) {
        if (!body.hasDecision() || isMade(body)) {
            return body;
        }
        Link elsewhere = elsewhere(body.getDecision().getInode());
        return switch (body.getOperationCase()) {
            case CREATE -> adaptedCreate(body, session);
            case MAKE_DIRECTORY -> adaptedMakeDirectory(body, session);
            case UNLINK -> elsewhere == null ? body : adaptedUnlink(body, elsewhere);
            case REMOVE_DIRECTORY -> elsewhere == null ? body : adaptedRemoveDirectory(body, elsewhere);
            case RENAME -> adaptedRename(body, elsewhere, session);
            case SET_ATTRIBUTES -> wasDecidedBefore(body) ? keptFromOthers(body) : body;
            default -> body;
        };
    }

    /** The link of an inode that has got another name than was decided; null for others. */
    private @Nullable Link elsewhere(long inode) {
        Inode known = state.sessions().decisions().isElsewhere(inode)
                ? state.namespace().find(inode)
                : null;
        return known == null || known.links() == 0
                ? null
                : state.namespace().links(known).getFirst();
    }

    private static QueenRequest adaptedUnlink(QueenRequest body, Link elsewhere) {
        return body.toBuilder()
                .setUnlink(body.getUnlink().toBuilder()
                        .setParent(elsewhere.parent().number())
                        .setName(elsewhere.entry().name()))
                .build();
    }

    private static QueenRequest adaptedRemoveDirectory(QueenRequest body, Link elsewhere) {
        return body.toBuilder()
                .setRemoveDirectory(body.getRemoveDirectory().toBuilder()
                        .setParent(elsewhere.parent().number())
                        .setName(elsewhere.entry().name()))
                .build();
    }

    /**
     * A change has been made: what was renamed into the root in place of a directory that is gone stays its owner's.
     *
     * @param adapted what has become of the request
     */
    public void made(QueenRequest request, QueenRequest adapted) {
        boolean inRoot = request.hasRename()
                && request.getRename().getNewParent() != adapted.getRename().getNewParent();
        Inode inode = inRoot ? state.namespace().find(request.getDecision().getInode()) : null;
        if (inode != null && !inode.isSymbolicLink() && (inode.mode() & FOR_OTHERS) != 0) {
            keepFromOthers(inode);
        }
    }

    private void keepFromOthers(Inode inode) {
        int permissions = inode.mode() & FileMode.PERMISSIONS & ~FOR_OTHERS;
        state.mutator().changeAtOnce(null, Mutation.ChangeAttributes.of(inode).withPermissions(permissions));
    }

    /**
     * The rename as it is to be done. It replaces only the inode that it was decided to replace, and nothing else that
     * has got the name since.
     */
    private QueenRequest adaptedRename(QueenRequest body, @Nullable Link elsewhere, Session session) {
        Rename rename = body.getRename();
        Decision decision = body.getDecision();
        Inode parent = directory(rename.getNewParent());
        if (parent.number() != rename.getNewParent()) {
            placeInRoot(body);
        }
        Inode replaced = state.namespace().find(decision.getReplaced());
        boolean replaces = replaced != null
                && names(parent.number(), rename.getNewName(), replaced.number())
                && !isChangedSince(decision, replaced, session);
        ByteString name = replaces ? rename.getNewName() : free(parent, rename.getNewName(), session);
        boolean there = isThere(parent, name, rename.getNewParent(), rename.getNewName());
        if (there && elsewhere == null) {
            return body;
        }
        if (!there) {
            state.sessions().decisions().placeElsewhere(decision.getInode());
        }
        Rename.Builder adapted =
                rename.toBuilder().setNewParent(parent.number()).setNewName(name);
        if (elsewhere != null) {
            adapted.setOldParent(elsewhere.parent().number())
                    .setOldName(elsewhere.entry().name());
        }
        return body.toBuilder().setRename(adapted).build();
    }

    private QueenRequest adaptedCreate(QueenRequest body, Session session) {
        Create create = body.getCreate();
        Place other = otherPlace(create.getParent(), create.getName(), body, session);
        return other == null
                ? body
                : body.toBuilder()
                        .setCreate(create.toBuilder()
                                .setParent(other.parent())
                                .setName(other.name())
                                .setMode(other.mode(create.getMode())))
                        .build();
    }

    private QueenRequest adaptedMakeDirectory(QueenRequest body, Session session) {
        MakeDirectory make = body.getMakeDirectory();
        Place other = otherPlace(make.getParent(), make.getName(), body, session);
        return other == null
                ? body
                : body.toBuilder()
                        .setMakeDirectory(make.toBuilder()
                                .setParent(other.parent())
                                .setName(other.name())
                                .setMode(other.mode(make.getMode())))
                        .build();
    }

    /** Another place for a name; null where the decided one is free. */
    private @Nullable Place otherPlace(long directory, ByteString decided, QueenRequest body, Session session) {
        Inode parent = directory(directory);
        ByteString name = free(parent, decided, session);
        if (isThere(parent, name, directory, decided)) {
            return null;
        }
        state.sessions().decisions().placeElsewhere(body.getDecision().getInode());
        boolean inRoot = parent.number() != directory;
        if (inRoot) {
            placeInRoot(body);
        }
        return new Place(parent.number(), name, inRoot);
    }

    private void placeInRoot(QueenRequest body) {
        state.sessions().decisions().placeInRoot(body.getDecision().getInode(), body.getSession(), body.getSequence());
    }

    private static boolean isThere(Inode parent, ByteString name, long asked, ByteString askedName) {
        return parent.number() == asked && name.equals(askedName);
    }

    /** The root in place of a directory that is gone. That may have been closed to others, and the root is not. */
    private Inode directory(long number) {
        Inode directory = state.namespace().find(number);
        return directory != null && directory.isDirectory() && directory.links() > 0
                ? directory
                : new Resolver(state.namespace()).existing(Namespace.ROOT);
    }

    private ByteString free(Inode directory, ByteString name, Session session) {
        if (directory.directory().find(name) == null) {
            return name;
        }
        ByteString other = ConflictName.in(
                directory.directory(), name, session.desktop(), state.clock().now());
        LOG.warn(
                "{} made {} while it was cut off, and somebody else has taken the name: it is kept as {}",
                session.desktop(),
                name.toStringUtf8(),
                other.toStringUtf8());
        return other;
    }

    /**
     * The request with a mode for the owner only, where the inode came into the root in place of a directory that is
     * gone: who has set the mode did not know that.
     */
    QueenRequest keptFromOthers(QueenRequest body) {
        SetAttributes change = body.getSetAttributes();
        if (!change.hasMode() || !state.sessions().decisions().isInRoot(change.getInode())) {
            return body;
        }
        return body.toBuilder()
                .setSetAttributes(change.toBuilder().setMode(change.getMode() & ~FOR_OTHERS))
                .build();
    }

    /**
     * Whether it was decided before its desktop has heard that the inode is in the root: it has no answer yet to the
     * change that came there. Clocks of desktops do not say so.
     */
    private boolean wasDecidedBefore(QueenRequest body) {
        return state.sessions()
                .decisions()
                .isInRootUnknownTo(
                        body.getSession(),
                        body.getAcknowledged(),
                        body.getDecision().getInode());
    }

    private boolean names(long directory, ByteString name, long inode) {
        Inode parent = state.namespace().find(directory);
        Dentry entry = parent == null || !parent.isDirectory()
                ? null
                : parent.directory().find(name);
        return entry != null && entry.inode().number() == inode;
    }
}
