package org.beefs.queenbee.operations.session;

import java.util.regex.Pattern;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.HoneycombOffer;
import org.beefs.common.wire.RecordsState;
import org.beefs.common.wire.Register;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.hive.LastStart;
import org.beefs.queenbee.journal.StateException;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.session.Session;
import org.beefs.queenbee.wake.MagicPacket;
import org.jspecify.annotations.Nullable;

/** Checks whether a desktop may register as it wants to. Changes nothing but what is known of refusals. */
final class RegistrationChecks {
    /**
     * Names that can be a host's and a folder's. Control characters would command terminals, and break lists of names.
     */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,254}");

    /** How many closed files a desktop keeps beyond those that it may have open, with all that is under way. */
    private static final int MOST_ENDED = 16_384;

    private static final int UUID_LENGTH = 16;

    private final QueenState state;

    RegistrationChecks(QueenState state) {
        this.state = state;
    }

    /**
     * @throws PosixException with a sentence for the desktop's user: EBUSY when name or honeycomb are another living
     *     daemon's, EPROTO when the daemon belongs to another hive, ESTALE when the honeycomb does, or is of a later
     *     state, EINVAL for what cannot be, ENFILE when there are too many desktops or open files, EAGAIN for an
     *     outdated registration
     */
    void check(Register register) {
        if (!NAME.matcher(register.getDesktop()).matches()) {
            throw new PosixException(
                    Errno.EINVAL,
                    "the name of a desktop has 1 to 255 letters, digits, dots, dashes and underscores, and begins with a letter or digit");
        }
        Session old = state.sessions().ofDesktop(register.getDesktop());
        if (old == null && state.sessions().size() >= state.config().maxSessions()) {
            throw new PosixException(
                    Errno.ENFILE, "the hive has " + state.config().maxSessions() + " desktops already");
        }
        if (register.getOpenFilesCount() > state.config().maxOpenFiles()) {
            throw new PosixException(Errno.ENFILE, "too many open files");
        }
        if (register.getEndingCount() + register.getEndedCount()
                > state.config().maxOpenFiles() + MOST_ENDED) {
            throw new PosixException(Errno.ENFILE, "too many files that were open");
        }
        DecidedChanges.check(register);
        if (register.hasHoneycomb()) { // first: it need not wait to hear that its folder is a copy for certain
            checkFolder(register.getHoneycomb(), register.getProcess());
        }
        if (old != null && old.process() != register.getProcess()) {
            checkOtherProcess(old, register);
        } else if (old != null && register.getNumber() != 0 && register.getNumber() <= old.lastRegistration()) {
            throw new PosixException(Errno.EAGAIN, "a later registration of this daemon has come before");
        }
        if (register.hasHoneycomb()) { // before the hive: it has better advice
            checkHoneycomb(register);
        }
        if (!register.getHive().isEmpty() && !register.getHive().equals(state.hive())) {
            throw new PosixException(Errno.EPROTO, "this queen-bee has another hive than the one mounted here");
        }
    }

    /** A folder must not be served by that process when another one serves it, when it is a copy, or was forgotten. */
    private void checkFolder(HoneycombOffer offer, long process) {
        if (offer.getUuid().size() != UUID_LENGTH) {
            throw new PosixException(Errno.EINVAL, "a honeycomb's UUID has 16 bytes");
        }
        MagicPacket.check(offer.getWake());
        Honeycomb known = state.honeycombs().find(offer.getUuid());
        if (known == null) {
            return;
        }
        if (known.isForgotten()) {
            throw new PosixException(
                    Errno.ESTALE,
                    "the honeycomb's folder belongs to the desktop %s, which was forgotten (beefs forget): nobody counts on what is in it any more; give this desktop an empty folder, and look into that one by hand for what somebody may miss"
                            .formatted(known.desktop()));
        }
        checkStart(offer, process, known);
    }

    /** Each start counts, and is shown by one process: by that a copy is told from the folder. */
    private static void checkStart(HoneycombOffer offer, long process, Honeycomb known) {
        LastStart last = known.lastStart();
        if (offer.getBoot() < last.boot()) {
            throw new PosixException(
                    Errno.ESTALE,
                    "the honeycomb's folder is an old copy: it was started %d times, and %d times on %s; use the newer folder, or an empty one"
                            .formatted(offer.getBoot(), last.boot(), known.desktop()));
        }
        if (offer.getBoot() == last.boot() && process != last.process()) {
            throw new PosixException(
                    Errno.ESTALE,
                    "the honeycomb's folder is a copy of the one that was last started on %s; use that one, or an empty one"
                            .formatted(known.desktop()));
        }
        if (!last.isAmong(offer.getStartsList())) {
            throw new PosixException(
                    Errno.ESTALE,
                    "the honeycomb's folder is an old copy that was started on its own: it does not know of start %d, on %s; use the folder that was used there, or an empty one"
                            .formatted(last.boot(), known.desktop()));
        }
        if (last.wasMarkedSince(offer.getStartsList())) {
            throw new PosixException(
                    Errno.ESTALE,
                    "the honeycomb's folder is an old copy: it was in use on %s after it was copied; use the folder that was used there, or an empty one"
                            .formatted(known.desktop()));
        }
    }

    /** The first one keeps the name as long as it lives. */
    private void checkOtherProcess(Session old, Register register) {
        if (mayLive(old, register)) {
            throw new PosixException(
                    Errno.EBUSY,
                    "another desktop with the name %s is connected, or was a moment ago; if that is another machine, give this one another name, and an empty folder if its disk is a copy"
                            .formatted(register.getDesktop()));
        }
    }

    private void checkHoneycomb(Register register) {
        HoneycombOffer offer = register.getHoneycomb();
        checkRecords(offer.getRecords(), register.getDesktop());
        if (state.numbering().isBeyond(offer.getHighestInode())) {
            throw new PosixException(
                    Errno.EINVAL,
                    "the honeycomb holds a replica of inode %x, which no queen-bee of this hive can have made; move it away"
                            .formatted(offer.getHighestInode()));
        }
        Honeycomb known = state.honeycombs().find(offer.getUuid());
        Session server = known == null ? null : lastServer(known);
        if (server != null && !server.desktop().equals(register.getDesktop()) && mayLive(server, register)) {
            throw new PosixException(
                    Errno.EBUSY,
                    "the honeycomb is already connected by desktop %s: two daemons must not use one folder or a copy of it"
                            .formatted(server.desktop()));
        }
    }

    private @Nullable Session lastServer(Honeycomb honeycomb) {
        Session session = state.sessions().ofDesktop(honeycomb.desktop());
        return session != null && session.process() == honeycomb.lastStart().process() ? session : null;
    }

    /**
     * Refuses a catalog of another hive or of a later state: a new queen-bee must not overwrite what another one can be
     * rebuilt from.
     */
    private void checkRecords(RecordsState records, String desktop) {
        if (!records.getHive().isEmpty() && !records.getHive().equals(state.hive())) {
            throw new PosixException(
                    Errno.ESTALE,
                    "the honeycomb holds the files of another hive. If the queen-bee had these before: look whether the disk with her state"
                            + " is mounted; if that is lost, "
                            + StateException.RESTORE
                            + ".  If she never had them, give this desktop another, empty folder");
        }
        if (state.numbering().isBeyond(records.getComplete())) {
            throw new PosixException(
                    Errno.EINVAL,
                    "the honeycomb's catalog is of change %x, which no queen-bee of this hive can have made; move it away"
                            .formatted(records.getComplete()));
        }
        if (wouldOverwrite(records)) {
            state.olderState().refused(desktop);
            throw new PosixException(
                    Errno.ESTALE,
                    "the honeycomb knows of changes that are not in the queen-bee's state, which must be an older copy. On her machine, either "
                            + StateException.RESTORE
                            + ";  or give these changes up: "
                            + StateException.GIVE_UP);
        }
        state.olderState().accepted(desktop);
    }

    /** Whether what only the catalog knows would be told over, without that being wanted. */
    private boolean wouldOverwrite(RecordsState records) {
        return !state.isReadOnly()
                && !state.config().acceptOlderState()
                && state.olderState().isAhead(records);
    }

    /**
     * Whether a daemon may live in whose place another one comes. One with a honeycomb may also without a connection,
     * as each does when the queen-bee has started: otherwise a copy of its disk could come first.
     */
    private boolean mayLive(Session session, Register register) {
        long bound = 2 * state.config().heartbeat().toNanos();
        return state.sessions().silent(session) <= bound
                && (session.connection() != null
                        || state.honeycombs().lastServedBy(session).isPresent())
                && !isOver(session, register);
    }

    /**
     * Whether a session's daemon has certainly ended, because who registers holds its folder's lock. That he has the
     * same honeycomb does not mean it: the folder of a desktop that was cloned while it ran knows all starts that are
     * known here.
     */
    boolean isOver(Session session, Register register) {
        HoneycombOffer offer = register.getHoneycomb();
        return state.honeycombs()
                .lastServedBy(session)
                .filter(known -> known.uuid().equals(offer.getUuid()))
                .filter(known -> known.lastStart().isOver(offer))
                .isPresent();
    }
}
