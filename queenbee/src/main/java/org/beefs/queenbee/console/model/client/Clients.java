package org.beefs.queenbee.console.model.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.QueenRequest.OperationCase;
import org.beefs.queenbee.console.model.file.FileViews;
import org.beefs.queenbee.console.model.question.Questions;
import org.beefs.queenbee.lock.Lock;
import org.beefs.queenbee.lock.Mode;
import org.beefs.queenbee.lock.Owner;
import org.beefs.queenbee.lock.Waiter;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.session.Activity;
import org.beefs.queenbee.session.Session;

/** What desktops' programs ask, what they have open, and what they wait for. Thread-safe. */
public final class Clients {
    /** Open files, locks, and waiters, that are shown. */
    public static final int MOST = 100;

    private final Questions questions;

    public Clients(Questions questions) {
        this.questions = questions;
    }

    /** A desktop's mounts and open files. */
    public ClientView of(String desktop) {
        return questions.ask(state -> {
            Session session = state.sessions().ofDesktop(desktop);
            if (session == null) {
                throw new PosixException(Errno.ENODEV, "no desktop named %s has a session".formatted(desktop));
            }
            return client(state, session);
        });
    }

    /** What each desktop with a session holds. */
    public Map<String, Holdings> holdings() {
        return questions.ask(state -> state.sessions().all().stream()
                .collect(Collectors.toMap(
                        Session::desktop,
                        session -> new Holdings(
                                state.leases().count(session), state.locks().count(session)),
                        (older, newer) -> newer)));
    }

    /** Those who wait for a lock, the first ones first. */
    public List<LockWait> lockWaits() {
        return questions.ask(state -> state.locks().waiters(MOST).stream()
                .map(waiter -> lockWait(state, waiter))
                .toList());
    }

    /** What each user of each desktop has asked. */
    public ActivityView activity() {
        return questions.ask(state -> {
            List<Asked> asked = new ArrayList<>();
            state.sessions().all().forEach(session -> addAsked(session, asked));
            long now = state.clock().bootNanos();
            return new ActivityView(Duration.ofNanos(now).toMillis(), asked);
        });
    }

    private static void addAsked(Session session, List<Asked> asked) {
        session.activity()
                .requests()
                .forEach((uid, requests) -> asked.add(new Asked(session.desktop(), user(uid), byWord(requests))));
    }

    private static Map<String, Long> byWord(Map<OperationCase, Long> requests) {
        Map<String, Long> words = new TreeMap<>();
        requests.forEach((operation, number) -> words.put(operation.name().toLowerCase(Locale.ROOT), number));
        return words;
    }

    private static String user(long uid) {
        if (uid == Activity.DAEMON) {
            return "daemon";
        }
        return uid == Activity.OTHERS ? "others" : Long.toString(uid);
    }

    private static ClientView client(QueenState state, Session session) {
        FileViews views = new FileViews(state);
        List<ClientView.OpenFile> open = session.handles().values().stream()
                .limit(MOST)
                .map(handle ->
                        new ClientView.OpenFile(path(state, views, handle.inode()), handle.inode(), handle.write()))
                .toList();
        return new ClientView(
                session.desktop(),
                List.copyOf(session.mounts()),
                open,
                state.leases().count(session),
                state.locks().count(session),
                state.locks().held(session, MOST).stream()
                        .map(lock -> heldLock(state, views, lock))
                        .toList());
    }

    private static ClientView.HeldLock heldLock(QueenState state, FileViews views, Lock lock) {
        return new ClientView.HeldLock(
                path(state, views, lock.inode()),
                lock.inode(),
                word(lock.owner()),
                lock.mode() == Mode.EXCLUSIVE,
                lock.pid());
    }

    private static String word(Owner owner) {
        return owner.kind().name().toLowerCase(Locale.ROOT);
    }

    private static LockWait lockWait(QueenState state, Waiter waiter) {
        Owner owner = waiter.wanted().owner();
        long inode = waiter.wanted().inode();
        Optional<Lock> inTheWay = state.locks().conflict(waiter.wanted());
        return new LockWait(
                path(state, new FileViews(state), inode),
                inode,
                word(owner),
                desktop(state, owner.session()),
                waiter.wanted().pid(),
                inTheWay.map(lock -> desktop(state, lock.owner().session())).orElse(""),
                inTheWay.map(Lock::pid).orElse(0));
    }

    private static String desktop(QueenState state, long number) {
        Session session = state.sessions().find(number);
        return session == null ? "session " + number : session.desktop();
    }

    /** A file that is unlinked and open has no path any more. */
    private static String path(QueenState state, FileViews views, long number) {
        Inode inode = state.namespace().find(number);
        return inode == null ? "inode " + number : views.path(inode);
    }
}
