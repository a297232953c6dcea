package org.beefs.simulator.client;

import com.google.protobuf.ByteString;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongPredicate;
import java.util.random.RandomGenerator;
import org.beefs.common.posix.FileMode;
import org.beefs.common.wire.LockMode;
import org.beefs.honeybee.filesystem.FileSystem.OpenFlags;
import org.beefs.honeybee.filesystem.FileSystem.RenameMode;
import org.beefs.simulator.kernel.SystemCalls;
import org.beefs.simulator.model.Actor;
import org.beefs.simulator.model.ModelState;
import org.jspecify.annotations.Nullable;

/**
 * Draws operations: on few names in few directories, so that clients meet each other, with arguments most of which make
 * sense.
 */
public final class Workload {
    private static final Actor ROOT = Actor.of(0, 0);
    private static final Actor[] USERS = {ROOT, Actor.of(1000, 1000, 50), Actor.of(1001, 1001, 50, 60)};
    private static final int[] MODES = {0755, 0700, 0777, 0644, 0600, 0666, 0770, 0640};
    private static final int[] CHMOD_MODES = {0755, 0700, 0777, 0644, 0666, 0000, 01777, 02775, 04755, 06777, 02744};
    private static final int[] PLAIN_MODES = {0755, 0777, 0644, 0666};
    private static final int[] GROUPS = {50, 60, 1000, 1001};
    private static final int[] TYPES = {FileMode.FIFO, FileMode.SOCKET, FileMode.REGULAR};
    private static final int MAX_INODES = 30;
    private static final int MIN_FILES = 2;
    private static final int MAX_OFFSET = 20_000;
    private static final int MAX_LENGTH = 9_000;
    private static final int MAX_HELD = 2;

    private final RandomGenerator random;
    private final boolean oneAtATime;
    /** Of a hundred operations so many only look, so that in some runs much is remembered. */
    private final int looks;

    /** Of a hundred other operations so many are on names. */
    private final int names;

    /** Whether writes may take set-id bits away: one that fails in between leaves what the model does not know. */
    private final boolean clearsPrivileges;

    /** Open files of a client: with few of them a file is often one client's alone. */
    private final int mostHandles;

    /**
     * Whether most of what a client does is in a directory that it has made, so that it holds the delegation of that
     * and of what is in it.
     */
    private final boolean homes;

    private final LongPredicate readInPages;

    private final List<Long> met = new ArrayList<>();

    /**
     * @param oneAtATime operations never overlap, so that those whose parts take effect at different moments may be
     *     drawn too
     * @param aboutContent whether most operations are on what is in files; otherwise that is drawn
     * @param readInPages the files that somebody has open whose kernel keeps their pages
     */
    public Workload(RandomGenerator random, boolean oneAtATime, boolean aboutContent, LongPredicate readInPages) {
        this.random = random;
        this.readInPages = readInPages;
        this.oneAtATime = oneAtATime;
        this.looks = aboutContent ? 0 : 30 * random.nextInt(3);
        this.clearsPrivileges = oneAtATime && !aboutContent;
        this.mostHandles = aboutContent ? 2 : 8;
        this.homes = random.nextBoolean();
        this.names = aboutContent || (!homes && random.nextBoolean()) ? 10 : 55;
    }

    /** Lets a client do something. */
    public void next(SimClient client, ModelState state) {
        if (random.nextInt(100) < looks) {
            look(client, state);
            return;
        }
        int kind = random.nextInt(100);
        if (kind < names) {
            namespace(client, state);
        } else if (kind < names + 5) {
            xattrs(client, state);
        } else {
            content(client, state);
        }
    }

    private void look(SimClient client, ModelState state) {
        Actor actor = actor();
        long directory = directory(client, state);
        switch (random.nextInt(8)) {
            case 0 -> client.issue(NamespaceRequests.list(actor, directory, 4096, true));
            case 1 -> client.issue(NamespaceRequests.access(actor, anyInode(state), 1 + random.nextInt(7)));
            case 2, 3, 4 -> client.issue(NamespaceRequests.attributes(anyInode(state)));
            default -> client.issue(NamespaceRequests.lookup(actor, directory, name(state, directory)));
        }
    }

    private void namespace(SimClient client, ModelState state) {
        Actor actor = actor();
        boolean full = state.size() > MAX_INODES;
        if (homes && !full && random.nextInt(5) == 0) {
            settle(client, state);
            return;
        }
        long directory = directory(client, state);
        ByteString name = name(state, directory);
        switch (full ? 7 + random.nextInt(16) : random.nextInt(23)) {
            case 0, 1 -> client.issue(NamespaceRequests.makeDirectory(actor, directory, name, pick(MODES)));
            case 2, 3, 4 -> {
                boolean write = random.nextInt(4) > 0;
                OpenFlags flags = new OpenFlags(
                        random.nextBoolean() || !write, write, false, random.nextInt(3) == 0, false, false);
                if (client.handles().size() < mostHandles) {
                    client.issueOpen(ContentRequests.create(actor, directory, name, pick(MODES), flags), flags);
                }
            }
            case 5 -> client.issue(NamespaceRequests.makeNode(actor, directory, name, pick(TYPES) | pick(MODES)));
            case 6 -> {
                ByteString target = ByteString.copyFromUtf8("target" + random.nextInt(1000));
                client.issue(NamespaceRequests.makeSymbolicLink(actor, directory, name, target));
            }
            case 7 -> client.issue(NamespaceRequests.link(actor, anyInode(state), directory, name));
            case 8, 9, 10, 11 -> client.issue(NamespaceRequests.unlink(actor, directory, name));
            case 12, 13 -> client.issue(NamespaceRequests.removeDirectory(actor, directory, name));
            case 14, 15, 16, 17 -> rename(client, state, actor, directory, name);
            case 18 ->
                client.issue(NamespaceRequests.list(
                        actor, directory, oneAtATime ? 1 + random.nextInt(5) : 4096, random.nextBoolean()));
            case 19 -> client.issue(NamespaceRequests.attributes(anyInode(state)));
            case 20 -> client.issue(NamespaceRequests.readLink(ROOT, inode(state, FileMode.SYMBOLIC_LINK)));
            case 21 -> client.issue(NamespaceRequests.access(actor, anyInode(state), 1 + random.nextInt(7)));
            default -> client.issue(NamespaceRequests.lookup(actor, directory, name));
        }
    }

    private void rename(SimClient client, ModelState state, Actor actor, long directory, ByteString name) {
        long to = random.nextBoolean() ? directory : directory(client, state);
        RenameMode mode = random.nextInt(5) == 0 ? pick(RenameMode.values()) : RenameMode.REPLACE;
        client.issue(NamespaceRequests.rename(actor, directory, name, to, name(state, to), mode));
    }

    private void xattrs(SimClient client, ModelState state) {
        Actor actor = actor();
        long inode = anyInode(state);
        ByteString name = ByteString.copyFromUtf8("user.x" + random.nextInt(3));
        ByteString value = ByteString.copyFromUtf8("value" + random.nextInt(100));
        switch (random.nextInt(5)) {
            case 0, 1 ->
                client.issue(NamespaceRequests.setXattr(
                        actor, inode, name, value, random.nextInt(4) == 0, random.nextInt(4) == 0));
            case 2 -> client.issue(NamespaceRequests.getXattr(actor, inode, name));
            case 3 -> client.issue(NamespaceRequests.listXattrs(ROOT, inode));
            default -> client.issue(NamespaceRequests.removeXattr(actor, inode, name));
        }
    }

    private void content(SimClient client, ModelState state) {
        Actor actor = actor();
        if (state.inodes(FileMode.REGULAR).size() < MIN_FILES) {
            OpenFlags flags = new OpenFlags(true, true, false, false, false, false);
            long directory = homes ? directory(client, state) : ModelState.ROOT;
            client.issueOpen(ContentRequests.create(ROOT, directory, name(state, directory), 0666, flags), flags);
            return;
        }
        switch (random.nextInt(20)) {
            case 0, 1, 2 -> {
                boolean write = random.nextBoolean();
                OpenFlags flags = new OpenFlags(
                        random.nextInt(4) > 0 || !write, write, write && random.nextInt(5) == 0, false, false, false);
                if (client.handles().size() < mostHandles) {
                    client.issueOpen(ContentRequests.open(actor, inode(state, FileMode.REGULAR), flags), flags);
                }
            }
            case 3 -> client.issue(ContentRequests.truncate(actor, inode(state, FileMode.REGULAR), offset()));
            case 4 -> client.issue(NamespaceRequests.attributes(inode(state, FileMode.REGULAR)));
            case 5 -> changeAttributes(client, state, actor);
            default -> throughHandle(client, actor);
        }
    }

    private void changeAttributes(SimClient client, ModelState state, Actor actor) {
        long inode = anyInode(state);
        switch (random.nextInt(3)) {
            case 0 ->
                client.issue(ContentRequests.chmod(actor, inode, oneAtATime ? pick(CHMOD_MODES) : pick(PLAIN_MODES)));
            case 1 -> {
                Integer uid = random.nextInt(3) == 0
                        ? null
                        : pick(USERS).credentials().getUid();
                Integer gid = uid != null && random.nextBoolean() ? null : pick(GROUPS);
                client.issue(ContentRequests.chown(actor, inode, uid, gid));
            }
            default -> {
                Instant atime = time();
                Instant mtime = atime == null ? Instant.ofEpochSecond(random.nextInt(), 1) : time();
                client.issue(ContentRequests.times(actor, inode, atime, mtime));
            }
        }
    }

    /** Lets a program go on with what it has open past the daemon, which may be dead. */
    public void nextPast(SimClient client) {
        if (client.pastFiles().isEmpty()) {
            return;
        }
        PastFile past = pick(client.pastFiles());
        switch (random.nextInt(5)) {
            case 0 -> client.close(past);
            case 1, 2 -> {
                if (past.handle().read() && past.isCurrent()) {
                    client.issue(ContentRequests.readPast(past, offset(), 1 + random.nextInt(2 * MAX_LENGTH)));
                }
            }
            default -> {
                if (past.mapped()) {
                    store(client, past);
                } else if (past.handle().write()) {
                    client.issue(ContentRequests.writePast(past, offset(), random.nextInt(4) == 0, data()));
                }
            }
        }
    }

    /**
     * What is stored again before the kernel has brought it to disk has no mtime of its own, by which other kernels
     * notice it (docs/decisions/remote-pages.md).
     */
    private void store(SimClient client, PastFile past) {
        if (readInPages.test(past.inode())) {
            past.file().writeBack();
        }
        client.issue(ContentRequests.store(past, offset(), data()));
    }

    /** Lets a program write what it has open past the daemon, which nobody can reach. */
    public void nextUnheard(SimClient client) {
        client.handles().stream()
                .filter(handle -> handle.past() != null && handle.write())
                .skip(random.nextInt(1 + client.handles().size()))
                .findFirst()
                .ifPresent(handle -> client.issue(ContentRequests.write(handle, offset(), false, data())));
    }

    /** Lets root open a file to write it. */
    public void openToWrite(SimClient client, long inode) {
        OpenFlags flags = new OpenFlags(true, true, false, false, false, false);
        client.issueOpen(ContentRequests.open(ROOT, inode, flags), flags);
    }

    /** Lets a program write something to what it has opened last. */
    public void writeLast(SimClient client) {
        OpenHandle handle = client.handles().getLast();
        client.issueWrite(ContentRequests.write(handle, offset(), false, data()), handle);
    }

    /** Lets a program sync something that it has open, if there is anything. */
    public void syncAny(SimClient client) {
        if (!client.handles().isEmpty()) {
            OpenHandle handle = pick(client.handles());
            client.issueFlush(ContentRequests.sync(handle, random.nextBoolean()), handle);
        }
    }

    /** Lets a program sync what it has opened last. */
    public void syncLast(SimClient client) {
        OpenHandle handle = client.handles().getLast();
        client.issueFlush(ContentRequests.sync(handle, false), handle);
    }

    private void throughHandle(SimClient client, Actor actor) {
        if (!client.pastFiles().isEmpty() && random.nextInt(4) == 0) {
            nextPast(client);
            return;
        }
        if (client.handles().isEmpty()) {
            return;
        }
        OpenHandle handle = pick(client.handles());
        int kind = random.nextInt(12);
        if (random.nextInt(5) == 0) {
            lock(client, handle);
            return;
        }
        if (isMappable(handle) && random.nextInt(10) == 0) {
            client.map(handle);
        } else if (kind < (handle.write() ? 3 : 1)) { // what is open to be written has no pages
            client.issueRelease(handle);
        } else if (kind < 4 || client.held(handle) > MAX_HELD) {
            client.issueFlush(ContentRequests.sync(handle, random.nextBoolean()), handle);
        } else if (handle.write() && kind < 8) {
            boolean append = random.nextInt(4) == 0;
            client.issueWrite(
                    clearsPrivileges && handle.past() == null && random.nextInt(3) == 0
                            ? ContentRequests.clearingWrite(handle, offset(), append, data())
                            : ContentRequests.write(handle, offset(), append, data()),
                    handle);
        } else if (handle.write() && kind < 9) {
            client.issue(ContentRequests.truncate(actor, handle, offset()));
        } else if (handle.write() && kind < 10) {
            int[] modes = {0, 1, 3};
            client.issue(ContentRequests.allocate(handle, pick(modes), offset(), 1 + random.nextInt(MAX_LENGTH)));
        } else if (handle.read() && client.isCurrent(handle)) {
            read(client, handle, offset(), 1 + random.nextInt(2 * MAX_LENGTH));
        } else if (oneAtATime) {
            client.issue(ContentRequests.syncDirectory(ModelState.ROOT));
        }
    }

    /** Of locks of fcntl(2) and of flock(2); programs wait for each other only where others go on meanwhile. */
    private void lock(SimClient client, OpenHandle handle) {
        if (!client.locks().mayAsk() || random.nextInt(6) == 0) {
            client.locks().interruptOne();
            return;
        }
        boolean flock = random.nextInt(3) == 0;
        LockMode mode =
                pick(new LockMode[] {LockMode.SHARED, LockMode.EXCLUSIVE, LockMode.EXCLUSIVE, LockMode.UNLOCKED});
        int from = flock ? 0 : random.nextInt(LockBook.BYTES);
        int to = flock ? LockBook.BYTES - 1 : from + random.nextInt(LockBook.BYTES - from);
        boolean waits = !oneAtATime && mode != LockMode.UNLOCKED && random.nextBoolean();
        client.locks().set(handle, 1 + random.nextInt(2), flock, mode, from, to, waits);
    }

    /** What is read in pages is of several moments, unless it is one page or nobody writes meanwhile. */
    private void read(SimClient client, OpenHandle handle, long offset, int length) {
        int inPage = SystemCalls.PAGE - (int) (offset % SystemCalls.PAGE);
        boolean anyLength = oneAtATime || !handle.paged();
        client.issue(ContentRequests.read(handle, offset, anyLength ? length : Math.min(length, inPage)));
    }

    /** For shared mappings that are stored to; of files elsewhere they are not modelled. */
    private static boolean isMappable(OpenHandle handle) {
        return handle.past() != null && handle.read() && handle.write();
    }

    private Actor actor() {
        return random.nextBoolean() ? ROOT : pick(USERS);
    }

    /** Where there are homes, mostly the client's own or what is in it. */
    private long directory(SimClient client, ModelState state) {
        Long home = homes && random.nextInt(5) > 0 ? home(client, state) : null;
        if (home == null) {
            return inode(state, FileMode.DIRECTORY);
        }
        List<Long> directories = state.inodes(FileMode.DIRECTORY);
        return state.names(home).stream()
                .map(name -> state.child(home, name))
                .filter(directories::contains)
                .max(Comparator.naturalOrder())
                .filter(newest -> random.nextInt(4) > 0)
                .orElse(home);
    }

    /** Makes the client's home, or another directory there, in which it works from then on. */
    private void settle(SimClient client, ModelState state) {
        Long home = home(client, state);
        client.issue(
                home == null
                        ? NamespaceRequests.makeDirectory(ROOT, ModelState.ROOT, homeName(client), 0777)
                        : NamespaceRequests.makeDirectory(ROOT, home, name(state, home), 0777));
    }

    private static @Nullable Long home(SimClient client, ModelState state) {
        Long home = state.child(ModelState.ROOT, homeName(client));
        return state.inodes(FileMode.DIRECTORY).contains(home) ? home : null;
    }

    private static ByteString homeName(SimClient client) {
        return ByteString.copyFromUtf8("home of " + client);
    }

    /** An inode of a type, or the root. */
    private long inode(ModelState state, int type) {
        List<Long> known = state.inodes(type);
        long inode = known.isEmpty() ? ModelState.ROOT : pick(known);
        met.add(inode);
        return inode;
    }

    /** Any inode, now and then one that may be gone. */
    private long anyInode(ModelState state) {
        if (!met.isEmpty() && random.nextInt(10) == 0) {
            return pick(met);
        }
        int[] types = {FileMode.REGULAR, FileMode.REGULAR, FileMode.DIRECTORY, FileMode.SYMBOLIC_LINK, FileMode.FIFO};
        return inode(state, pick(types));
    }

    /** A name in a directory: one that is there, or any of a few. */
    private ByteString name(ModelState state, long directory) {
        List<ByteString> names = state.names(directory);
        return names.isEmpty() || random.nextInt(5) < 2
                ? ByteString.copyFromUtf8(String.valueOf((char) ('a' + random.nextInt(6))))
                : pick(names);
    }

    private long offset() {
        return random.nextInt(4) == 0 ? 0 : random.nextInt(MAX_OFFSET);
    }

    private ByteString data() {
        byte[] bytes = new byte[1 + random.nextInt(MAX_LENGTH)];
        random.nextBytes(bytes);
        return ByteString.copyFrom(bytes);
    }

    private @Nullable Instant time() {
        return switch (random.nextInt(4)) {
            case 0 -> null;
            case 1 -> Instant.MAX;
            default -> Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000));
        };
    }

    private int pick(int[] values) {
        return values[random.nextInt(values.length)];
    }

    private <T> T pick(T[] values) {
        return values[random.nextInt(values.length)];
    }

    private <T> T pick(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }
}
