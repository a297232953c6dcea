package org.beefs.integration.delegation;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.beefs.common.posix.AccessControlList;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Credentials;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.QueenRequest.OperationCase;
import org.beefs.common.wire.SetAttributes;
import org.beefs.common.wire.SetXattr;
import org.beefs.common.wire.Timestamp;
import org.beefs.queenbee.testing.Ask;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A desktop that changes something under a delegation says what the queen-bee says then. */
class DecidedAnswersTest {
    private static final long ROOT = 1;

    /** On the desktop's own honeycomb. Bytes. */
    private static final long ROOM = 1L << 40;

    private static final int STEPS = 1500;
    private static final int[] MODES = {0644, 0600, 0755, 0777, 0700, 0, 04755, 02755, 06777, 01777, 02777};
    private static final int[] USUAL_MODES = {0755, 0777, 0700, 0750};
    private static final int[] UMASKS = {0, 022, 077};
    private static final int[] IDS = {0, 1000, 2000, 3000};
    private static final Credentials SUPERUSER = caller(0, 0);
    private static final Credentials USER =
            caller(1000, 1000).toBuilder().addGroups(2000).build();

    private record Name(long parent, String name) {}

    private DecidedAnswers desktop = DecidedAnswers.withHoneycomb();
    private final List<Long> directories = new ArrayList<>();
    private final List<Long> files = new ArrayList<>();

    /** What was made, some of which is gone. */
    private final List<Name> made = new ArrayList<>();

    private RandomGenerator random = new Random();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldDecideWhatTheQueenBeeThenAnswers(long seed) {
        shouldDecideAsTheQueenBee(seed);
    }

    @ParameterizedTest
    @ValueSource(longs = {4, 5})
    void shouldDecideWhatTheQueenBeeThenAnswersWithoutAHoneycombToo(long seed) {
        desktop = DecidedAnswers.withoutHoneycomb();
        shouldDecideAsTheQueenBee(seed);
    }

    private void shouldDecideAsTheQueenBee(long seed) {
        random = new Random(seed);
        makeDirectories();
        for (int step = 0; step < STEPS; step++) {
            step();
            desktop.pass(Duration.ofNanos(random.nextInt(3_000_000)));
            if (random.nextInt(6) == 0 || desktop.unanswered() > 20) {
                desktop.answerAll();
            }
            if (directories.size() > 40) {
                directories.subList(5, 20).clear();
            }
            if (step % 100 == 99) {
                desktop.compareTree(ROOT);
            }
        }
        desktop.compareTree(ROOT);
        assertThat(desktop.counts())
                .containsKeys(
                        OperationCase.CREATE,
                        OperationCase.MAKE_DIRECTORY,
                        OperationCase.UNLINK,
                        OperationCase.REMOVE_DIRECTORY,
                        OperationCase.RENAME,
                        OperationCase.SET_ATTRIBUTES,
                        OperationCase.SET_XATTR,
                        OperationCase.LIST_DIRECTORY)
                .allSatisfy((kind, number) -> assertThat(number).as("%s", kind).isGreaterThan(5));
        assertThat(desktop.putTogether()).isGreaterThan(5);
    }

    /** In which most of it happens: the superuser's, one for everybody, and the user's. */
    private void makeDirectories() {
        make(SUPERUSER, ROOT, "roots", 0755);
        long all = make(SUPERUSER, ROOT, "everybodys", 0777);
        desktop.ask(by(SUPERUSER, Ask.chmod(all, 0777)));
        make(USER, all, "users", 0755);
        make(USER, all, "private", 0700);
        make(SUPERUSER, ROOT, "groups", 02775);
    }

    private long make(Credentials caller, long parent, String name, int mode) {
        Attributes made =
                desktop.ask(by(caller, Ask.mkdir(parent, name, mode))).getNode().getAttributes();
        directories.add(made.getInode());
        return made.getInode();
    }

    private void step() {
        Credentials caller = random.nextInt(3) > 0 ? SUPERUSER : USER;
        long parent = pick(directories);
        String name = "abcdefgh".substring(random.nextInt(8)).substring(0, 1);
        switch (random.nextInt(25)) {
            case 0, 1, 2, 3 -> {
                made.add(new Name(parent, name));
                known(desktop.ask(by(caller, makeDirectory(parent, name))), directories);
            }
            case 4, 5, 6, 7, 8 -> {
                made.add(new Name(parent, name));
                known(desktop.ask(by(caller, create(parent, name))), files);
            }
            case 9, 10, 11, 12 -> {
                Name old = old(parent, name);
                desktop.ask(by(caller, Ask.unlink(old.parent(), old.name())));
            }
            case 13, 14 -> {
                Name old = old(parent, name);
                desktop.ask(by(caller, Ask.rmdir(old.parent(), old.name())));
            }
            case 15 -> look(caller, parent, name);
            case 16 -> release();
            case 17 -> setXattr(caller);
            case 18, 19, 20, 21 -> rename(caller, old(parent, name), name);
            default -> setAttributes(caller);
        }
    }

    /** Mostly within the directory. */
    private void rename(Credentials caller, Name old, String name) {
        long parent = random.nextInt(10) == 0 ? pick(directories) : old.parent();
        made.add(new Name(parent, name));
        QueenRequest.Builder rename = Ask.rename(old.parent(), old.name(), parent, name);
        switch (random.nextInt(10)) {
            case 0 -> rename.getRenameBuilder().setExchange(true);
            case 1, 2 -> rename.getRenameBuilder().setNoReplace(true);
            default -> {}
        }
        desktop.ask(by(caller, rename));
    }

    /** Often some more of the same at once. */
    private void setAttributes(Credentials caller) {
        boolean directory = files.isEmpty() || random.nextBoolean();
        long inode = pick(directory ? directories : files);
        for (int times = random.nextInt(1, 5); times > 0; times--) {
            desktop.pass(Duration.ofNanos(random.nextInt(1000)));
            desktop.ask(by(
                    caller,
                    random.nextInt(4) == 0
                            ? setAccessList(inode)
                            : Ask.change(attributes(directory).setInode(inode))));
        }
    }

    /** Mostly one that says no more than a mode. */
    private QueenRequest.Builder setAccessList(long inode) {
        return QueenRequest.newBuilder()
                .setSetXattr(SetXattr.newBuilder()
                        .setInode(inode)
                        .setName(AccessControlList.ACCESS)
                        .setValue(random.nextInt(20) == 0 ? extendedList() : plainList()));
    }

    private ByteString plainList() {
        return list(entry(1), entry(4), entry(32));
    }

    private ByteString extendedList() {
        return list(entry(1), entry(4), entry(16), entry(32));
    }

    private static ByteString list(ByteString... entries) {
        return ByteString.copyFrom(new byte[] {2, 0, 0, 0}).concat(ByteString.copyFrom(List.of(entries)));
    }

    private ByteString entry(int tag) {
        return ByteString.copyFrom(new byte[] {(byte) tag, 0, (byte) random.nextInt(8), 0, -1, -1, -1, -1});
    }

    /** After which nothing is decided about the file any more. */
    private void setXattr(Credentials caller) {
        if (!files.isEmpty()) {
            long file = pick(files);
            desktop.ask(by(
                    caller,
                    random.nextBoolean() ? Ask.setXattr(file, "user.a", "1") : Ask.removeXattr(file, "user.a")));
        }
    }

    /** Mostly something that was made a moment ago. */
    private Name old(long parent, String name) {
        return made.isEmpty() || random.nextInt(4) == 0
                ? new Name(parent, name)
                : made.get(random.nextInt(Math.max(0, made.size() - 10), made.size()));
    }

    private static void known(QueenReply reply, List<Long> inodes) {
        if (reply.hasNode()) {
            inodes.add(reply.getNode().getAttributes().getInode());
        }
    }

    private QueenRequest.Builder makeDirectory(long parent, String name) {
        QueenRequest.Builder request = Ask.mkdir(parent, name, pick(random.nextInt(4) == 0 ? MODES : USUAL_MODES));
        request.getMakeDirectoryBuilder().setUmask(pick(UMASKS));
        return request;
    }

    private QueenRequest.Builder create(long parent, String name) {
        QueenRequest.Builder request = Ask.create(parent, name, pick(MODES), desktop.newHandle());
        request.getCreateBuilder().setUmask(pick(UMASKS)).setExclusive(random.nextBoolean());
        return request.setAvailable(ROOM);
    }

    /** What is not known here is asked for, so that more can be decided. */
    private void look(Credentials caller, long parent, String name) {
        desktop.answerAll();
        desktop.ask(by(SUPERUSER, Ask.attributes(parent)));
        desktop.ask(by(caller, Ask.lookup(parent, name)));
    }

    /** Closes a file that was written, which becomes clean thereby. */
    private void release() {
        if (!files.isEmpty()) {
            long file = files.get(random.nextInt(files.size()));
            desktop.ask(by(
                    SUPERUSER, Ask.release(file, random.nextInt(300), Ask.written(file, 1 + random.nextInt(1000)))));
            desktop.ask(by(SUPERUSER, Ask.attributes(file)));
        }
    }

    private SetAttributes.Builder attributes(boolean directory) {
        SetAttributes.Builder set = SetAttributes.newBuilder();
        int what = random.nextInt(10);
        if (what < 5) {
            set.setMode(pick(random.nextBoolean() ? MODES : USUAL_MODES));
        }
        if (what == 4 || what == 5 || what == 6) {
            set.setUid(pick(IDS));
        }
        if (what == 5 || what == 7) {
            set.setGid(pick(IDS));
        }
        if (what == 0 || what > 6) {
            times(set);
        }
        set.setClearPrivileges(!directory && what >= 4 && what <= 7);
        return set;
    }

    private void times(SetAttributes.Builder set) {
        set.setHandle(desktop.newHandle());
        switch (random.nextInt(5)) {
            case 0 -> set.setAtimeNow(true).setMtimeNow(true);
            case 1 -> set.setAtime(time()).setMtimeNow(true);
            case 2 -> set.setMtime(time());
            case 3 -> set.setAtime(time()).setAtimeNow(true).setMtime(time()).setMtimeNow(true);
            default -> set.setAtime(time()).setMtime(time());
        }
    }

    private Timestamp time() {
        return Timestamp.newBuilder()
                .setSeconds(random.nextLong(-2_000_000_000L, 10_000_000_000L))
                .setNanos(random.nextInt(1_000_000_000))
                .build();
    }

    private long pick(List<Long> inodes) {
        int recent = Math.max(0, inodes.size() - 12);
        return inodes.get(random.nextBoolean() ? random.nextInt(recent, inodes.size()) : random.nextInt(inodes.size()));
    }

    private int pick(int[] values) {
        return values[random.nextInt(values.length)];
    }

    private static QueenRequest by(Credentials caller, QueenRequest.Builder request) {
        return request.setCredentials(caller).build();
    }

    private static Credentials caller(int uid, int gid) {
        return Credentials.newBuilder().setUid(uid).setGid(gid).build();
    }
}
