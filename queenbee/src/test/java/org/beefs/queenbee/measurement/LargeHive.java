package org.beefs.queenbee.measurement;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Random;
import org.beefs.common.posix.FileMode;
import org.beefs.queenbee.journal.RocksStateStore;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Link;
import org.beefs.queenbee.namespace.Mutation;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.namespace.PackedTime;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;

/**
 * Fills a queen-bee's folder as years of use would: directories of two dozen committed files with three replicas each.
 * Names, sizes and times differ, as they do in life: otherwise they would compress too well.
 */
final class LargeHive {
    private static final int FILES_IN_DIRECTORY = 24;
    private static final int REPLICAS = 3;
    private static final int DIRECTORIES_IN_DIRECTORY = 10;
    private static final int CHANGES_IN_BATCH = 1000;
    private static final Duration UNTIL_ALL_IS_TOLD = Duration.ofMinutes(2);
    private static final Instant FIRST_TIME = Instant.parse("2020-01-01T00:00:00Z");
    private static final int MANY_YEARS_SECONDS = 200_000_000;

    private final QueenState state;
    private final Random random = new Random(1);
    private int changes;

    private LargeHive(QueenState state) {
        this.state = state;
    }

    /** Makes a hive with so many inodes, the root included. */
    static void fill(Path folder, int inodes) throws IOException {
        try (RocksStateStore store = RocksStateStore.open(folder)) {
            TestHive hive = new TestHive(store);
            for (int i = 1; i <= REPLICAS; i++) {
                new TestDesktop(hive, "desk" + i).registered();
            }
            new LargeHive(hive.queenBee().state()).fill(inodes);
            hive.queenBee().close();
        }
    }

    /** Removes all files of one, while a desktop that has replicas of them is away, and others are there. */
    static void removeFiles(Path folder) throws IOException {
        try (RocksStateStore store = RocksStateStore.open(folder)) {
            TestHive hive = new TestHive(store);
            List<TestDesktop> awake = new ArrayList<>();
            for (int i = 1; i <= 2 * REPLICAS; i++) {
                if (i != REPLICAS) {
                    awake.add(new TestDesktop(hive, "desk" + i).registered());
                }
            }
            hive.advance(awake, UNTIL_ALL_IS_TOLD);
            for (Inode file : hive.queenBee().state().namespace().snapshot()) {
                if (file.isRegular()) {
                    Link name = hive.queenBee().state().namespace().links(file).getFirst();
                    awake.getFirst()
                            .ok(Ask.unlink(
                                    name.parent().number(), name.entry().name().toStringUtf8()));
                }
            }
            hive.advance(awake, UNTIL_ALL_IS_TOLD);
            hive.queenBee().close();
        }
    }

    /** Fills one whose first desktops have registered. */
    static void fill(QueenState state, int inodes) throws IOException {
        new LargeHive(state).fill(inodes);
    }

    private void fill(int inodes) throws IOException {
        Queue<Long> empty = new ArrayDeque<>(List.of(Namespace.ROOT));
        int directories = 1;
        while (state.namespace().size() < inodes) {
            long directory = empty.remove();
            for (int i = 0; i < FILES_IN_DIRECTORY && state.namespace().size() < inodes; i++) {
                makeFile(directory, "Report %d of %04x.odt".formatted(i, random.nextInt(1 << 16)));
            }
            for (int i = 0; i < DIRECTORIES_IN_DIRECTORY && directories < inodes / (FILES_IN_DIRECTORY + 1); i++) {
                empty.add(make(directory, "Project " + i, FileMode.DIRECTORY | 0755, Mutation.FirstReplica.NONE));
                directories++;
            }
        }
        state.journal().write();
    }

    private void makeFile(long parent, String name) throws IOException {
        long epoch = state.numbering().base();
        long inode = make(parent, name, FileMode.REGULAR | 0644, new Mutation.FirstReplica(1, epoch, true));
        int size = random.nextInt(1 << random.nextInt(5, 24));
        long time = time();
        long version = state.numbering().after(0);
        apply(new Mutation.Commit(inode, version, size, size / 512, time, time, time, false));
        apply(new Mutation.ConfirmSeal(inode));
        for (int honeycomb = 2; honeycomb <= REPLICAS; honeycomb++) {
            apply(new Mutation.SetSecondary(inode, honeycomb, version));
        }
    }

    private long make(long parent, String name, int mode, Mutation.FirstReplica replica) throws IOException {
        Inode directory = Objects.requireNonNull(state.namespace().find(parent));
        long inode = state.numbering().after(state.namespace().highestOwn());
        apply(new Mutation.MakeInode(
                parent,
                ByteString.copyFromUtf8(name),
                directory.directory().nextCookie(),
                inode,
                new Mutation.Birth(mode, 1000, 1000, 0, time()),
                ByteString.EMPTY,
                replica));
        return inode;
    }

    private long time() {
        return PackedTime.of(
                FIRST_TIME.plusSeconds(random.nextInt(MANY_YEARS_SECONDS)).plusNanos(random.nextInt(1_000_000_000)));
    }

    private void apply(Mutation mutation) throws IOException {
        state.mutator().changeAtOnce(null, mutation);
        if (++changes % CHANGES_IN_BATCH == 0) {
            state.journal().write();
        }
    }
}
