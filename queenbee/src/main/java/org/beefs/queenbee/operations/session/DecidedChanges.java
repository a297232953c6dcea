package org.beefs.queenbee.operations.session;

import com.google.protobuf.ByteString;
import java.util.List;
import java.util.function.Function;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.FileMode;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.AnsweredChange;
import org.beefs.common.wire.Create;
import org.beefs.common.wire.Decision;
import org.beefs.common.wire.MakeDirectory;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.QueenRequest.OperationCase;
import org.beefs.common.wire.Register;
import org.beefs.common.wire.RemoveDirectory;
import org.beefs.common.wire.Rename;
import org.beefs.common.wire.SetAttributes;
import org.beefs.common.wire.Unlink;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.lease.Clearance;
import org.beefs.queenbee.lease.ParkedException;
import org.beefs.queenbee.namespace.Caller;
import org.beefs.queenbee.namespace.Dentry;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Link;
import org.beefs.queenbee.namespace.Mutation;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.namespace.PackedTime;
import org.beefs.queenbee.operations.Effects;
import org.beefs.queenbee.operations.Operation;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.operations.Request;
import org.beefs.queenbee.operations.Resolver;
import org.beefs.queenbee.operations.name.ConflictName;
import org.beefs.queenbee.session.DesktopConnection;
import org.beefs.queenbee.session.Session;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes that a desktop has made under a delegation before it asked. As long as it holds the delegation they are
 * carried out like all others, but with what it has chosen. When it has lost it, because it was silent for too long,
 * they come late: what is done already is left alone, and what others have taken the place of gets another name.
 * Belongs to the namespace thread.
 */
public final class DecidedChanges {
    private static final int FOR_OTHERS = 077;
    private static final Logger LOG = LoggerFactory.getLogger(DecidedChanges.class);

    private final QueenState state;
    private final Function<OperationCase, Operation> operations;

    public DecidedChanges(QueenState state, Function<OperationCase, Operation> operations) {
        this.state = state;
        this.operations = operations;
    }

    /** What the desktop has chosen, as a change that was made before says it; empty for others. */
    public AnsweredChange choice(QueenRequest body, @Nullable Session session) {
        return session == null || !body.hasDecision()
                ? AnsweredChange.getDefaultInstance()
                : choice(
                        body,
                        state.honeycombs()
                                .servedBy(session)
                                .map(Honeycomb::uuid)
                                .orElse(ByteString.EMPTY));
    }

    private static AnsweredChange choice(QueenRequest body, ByteString own) {
        Decision decision = body.getDecision();
        AnsweredChange.Builder choice = AnsweredChange.newBuilder().setTime(decision.getTime());
        if (makesInode(body)) {
            choice.setInode(decision.getInode());
        }
        if (body.hasCreate()) {
            choice.setHoneycomb(decision.getHoneycomb().isEmpty() ? own : decision.getHoneycomb())
                    .setEpoch(decision.getEpoch());
        }
        return choice.build();
    }

    /** When a request is carried out. */
    public long time(QueenRequest body) {
        return body.hasDecision()
                ? PackedTime.of(body.getDecision().getTime())
                : PackedTime.of(state.clock().now());
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
     * The request with another name where the one that was chosen is taken, or its directory is gone, or it was placed
     * elsewhere then.
     */
    public QueenRequest placed(QueenRequest body, Session session) {
        if (!body.hasDecision() || isMade(body)) {
            return body;
        }
        Link elsewhere = elsewhere(body.getDecision().getInode());
        return switch (body.getOperationCase()) {
            case CREATE -> placed(body, body.getCreate(), session);
            case MAKE_DIRECTORY -> placed(body, body.getMakeDirectory(), session);
            case UNLINK -> elsewhere == null ? body : placed(body, body.getUnlink(), elsewhere);
            case REMOVE_DIRECTORY -> elsewhere == null ? body : placed(body, body.getRemoveDirectory(), elsewhere);
            case RENAME -> placed(body, body.getRename(), elsewhere, session);
            default -> body;
        };
    }

    /** Where an inode is that has got another name than was decided; null for others. */
    private @Nullable Link elsewhere(long inode) {
        Inode known = state.sessions().decisions().isElsewhere(inode)
                ? state.namespace().find(inode)
                : null;
        return known == null || known.links() == 0
                ? null
                : state.namespace().links(known).getFirst();
    }

    private static QueenRequest placed(QueenRequest body, Unlink unlink, Link elsewhere) {
        return body.toBuilder()
                .setUnlink(unlink.toBuilder()
                        .setParent(elsewhere.parent().number())
                        .setName(elsewhere.entry().name()))
                .build();
    }

    private static QueenRequest placed(QueenRequest body, RemoveDirectory remove, Link elsewhere) {
        return body.toBuilder()
                .setRemoveDirectory(remove.toBuilder()
                        .setParent(elsewhere.parent().number())
                        .setName(elsewhere.entry().name()))
                .build();
    }

    /**
     * A change has been made: what was renamed into the root in place of a directory that is gone stays its owner's.
     *
     * @param placed what has become of the request
     */
    public void made(QueenRequest request, QueenRequest placed) {
        boolean inRoot = request.hasRename()
                && request.getRename().getNewParent() != placed.getRename().getNewParent();
        Inode inode = inRoot ? state.namespace().find(request.getDecision().getInode()) : null;
        if (inode != null && !inode.isSymbolicLink() && (inode.mode() & FOR_OTHERS) != 0) {
            keepFromOthers(inode);
        }
    }

    private void keepFromOthers(Inode inode) {
        int permissions = inode.mode() & FileMode.PERMISSIONS & ~FOR_OTHERS;
        state.mutator()
                .changeAtOnce(
                        null,
                        new Mutation.ChangeAttributes(
                                inode.number(),
                                permissions,
                                inode.uid(),
                                inode.gid(),
                                inode.atime(),
                                inode.mtime(),
                                inode.ctime()));
    }

    /** What it replaces is what it was decided to replace, and nothing else that has got the name since. */
    private QueenRequest placed(QueenRequest body, Rename rename, @Nullable Link elsewhere, Session session) {
        Decision decision = body.getDecision();
        Inode parent = directory(rename.getNewParent());
        if (parent.number() != rename.getNewParent()) {
            state.sessions().decisions().placeInRoot(decision.getInode());
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
        Rename.Builder placed = rename.toBuilder().setNewParent(parent.number()).setNewName(name);
        if (elsewhere != null) {
            placed.setOldParent(elsewhere.parent().number())
                    .setOldName(elsewhere.entry().name());
        }
        return body.toBuilder().setRename(placed).build();
    }

    private QueenRequest placed(QueenRequest body, Create create, Session session) {
        Inode parent = directory(create.getParent());
        ByteString name = free(parent, create.getName(), session);
        if (isThere(parent, name, create.getParent(), create.getName())) {
            return body;
        }
        state.sessions().decisions().placeElsewhere(body.getDecision().getInode());
        return body.toBuilder()
                .setCreate(create.toBuilder()
                        .setParent(parent.number())
                        .setName(name)
                        .setMode(mode(create.getMode(), parent, create.getParent(), body.getDecision())))
                .build();
    }

    private QueenRequest placed(QueenRequest body, MakeDirectory make, Session session) {
        Inode parent = directory(make.getParent());
        ByteString name = free(parent, make.getName(), session);
        if (isThere(parent, name, make.getParent(), make.getName())) {
            return body;
        }
        state.sessions().decisions().placeElsewhere(body.getDecision().getInode());
        return body.toBuilder()
                .setMakeDirectory(make.toBuilder()
                        .setParent(parent.number())
                        .setName(name)
                        .setMode(mode(make.getMode(), parent, make.getParent(), body.getDecision())))
                .build();
    }

    /** As it was decided, or what concerns the owner where it comes into the root in place of the directory. */
    private int mode(int decided, Inode parent, long directory, Decision decision) {
        if (parent.number() == directory) {
            return decided;
        }
        state.sessions().decisions().placeInRoot(decision.getInode());
        return decided & ~FOR_OTHERS;
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

    /** Those of a registration that were not answered, as far as the session is known in which they were asked for. */
    List<QueenRequest> unanswered(Register register) {
        return register.getDecidedList().stream()
                .filter(decided -> !isAnswered(decided))
                .toList();
    }

    private boolean isAnswered(QueenRequest decided) {
        Session asked = state.sessions().find(decided.getSession());
        long sequence = decided.getSequence();
        return asked != null
                && sequence != 0
                && (asked.answers().isAcknowledged(sequence) || asked.answers().find(sequence) != null);
    }

    /**
     * Carries out what a desktop has decided and was not answered, before its delegations end.
     *
     * @param session the desktop's; another one than they were asked for in if that has ended
     * @param own UUID of its honeycomb, which may have yet to be connected
     */
    void carryOut(List<QueenRequest> unanswered, Session session, ByteString own, DesktopConnection connection) {
        unanswered.stream()
                .filter(decided -> !isMade(decided) && !isOvertaken(decided, session))
                .forEach(decided -> carryOutOne(decided, session, own, connection));
    }

    private void carryOutOne(QueenRequest decided, Session session, ByteString own, DesktopConnection connection) {
        Clearance clearance = Clearance.ofThePast(session);
        QueenReply.Builder reply = QueenReply.newBuilder();
        long before = state.journal().applied();
        try {
            QueenRequest placed = keptFromOthers(placed(decided, session));
            Request request = new Request(
                    placed,
                    session,
                    Caller.allowed(placed.getCredentials()),
                    connection,
                    time(placed),
                    clearance,
                    choice(placed, own));
            operations.apply(placed.getOperationCase()).run(request, reply);
            made(decided, placed);
            Decision made = decided.getDecision();
            state.sessions().decisions().add(made.getInode(), made.getTime());
            closeForFormer(decided, session);
        } catch (PosixException failure) {
            failed(decided, session, failure, reply);
        } catch (ParkedException _) {
            failed(decided, session, new PosixException(Errno.EIO, "it would have to wait"), reply);
        } finally {
            state.leases().over(clearance);
        }
        if (state.journal().applied() != before) {
            reply.setSequence(state.journal().applied());
        }
        if (decided.getSession() == session.number() && decided.getSequence() != 0) {
            session.answers()
                    .write(
                            decided.getSequence(),
                            Effects.withoutLeases(reply.build()),
                            state.journal().batch());
        }
    }

    /**
     * The request with a mode for the owner only, where the inode came into the root in place of a directory that is
     * gone: who has set the mode did not know that.
     */
    private QueenRequest keptFromOthers(QueenRequest body) {
        SetAttributes change = body.getSetAttributes();
        if (!change.hasMode() || !state.sessions().decisions().isInRoot(change.getInode())) {
            return body;
        }
        return body.toBuilder()
                .setSetAttributes(change.toBuilder().setMode(change.getMode() & ~FOR_OTHERS))
                .build();
    }

    /** What was opened in a session that is over is open only if the registration says so, which is looked at next. */
    private void closeForFormer(QueenRequest decided, Session session) {
        if (decided.getSession() != session.number()) {
            long handle = decided.hasCreate()
                    ? decided.getCreate().getHandle()
                    : decided.getSetAttributes().getHandle();
            state.contents().release(session, handle, null);
        }
    }

    private static void failed(
            QueenRequest decided, Session session, PosixException failure, QueenReply.Builder reply) {
        reply.clear().setFailure(failure.toFailure());
        LOG.warn(
                "{} of inode {} is a change that {} had decided and cannot be made: {}",
                decided.getOperationCase(),
                decided.getDecision().getInode(),
                session.desktop(),
                failure.getMessage());
    }

    private boolean names(long directory, ByteString name, long inode) {
        Inode parent = state.namespace().find(directory);
        Dentry entry = parent == null || !parent.isDirectory()
                ? null
                : parent.directory().find(name);
        return entry != null && entry.inode().number() == inode;
    }

    private static boolean makesInode(QueenRequest body) {
        return body.hasCreate() || body.hasMakeDirectory();
    }
}
