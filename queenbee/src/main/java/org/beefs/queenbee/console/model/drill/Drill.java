package org.beefs.queenbee.console.model.drill;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Function;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.time.Clock;
import org.beefs.queenbee.console.model.question.Questions;
import org.beefs.queenbee.console.model.question.Scans;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.hive.NaturalOrder;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.recovery.CatalogAccess;
import org.beefs.queenbee.recovery.CollectedRecords;
import org.beefs.queenbee.recovery.CollectionListener;
import org.beefs.queenbee.recovery.DrillComparison;
import org.beefs.queenbee.recovery.LivingInodes;
import org.beefs.queenbee.recovery.RecordSource;

/**
 * Does what a recovery does, into memory: reads the catalogs of all honeycombs that are there, puts a namespace
 * together, and compares it with the living one. It works at most half of the time, and shows the namespace thread
 * parts of {@link #PART} inodes with pauses between. Interrupting its thread ends it. Used by one thread.
 */
final class Drill {
    /** Inodes that are encoded twice in one pass: less than a millisecond. */
    static final int PART = 256;

    /** Heap that an inode takes at most while its namespace is put together, with all that belongs to it. */
    static final long BYTES_FOR_INODE = 600;

    private static final Duration BETWEEN_PARTS = Duration.ofMillis(1);

    /** How long to wait for catalogs. A change reaches them within a second, unless something is wrong. */
    private static final Duration CATCHING_UP = Duration.ofSeconds(10);

    private static final Duration LOOK = Duration.ofMillis(250);

    /** Records after which it makes a pause as long as they took. */
    private static final int BATCH = 4096;

    /** Damaged records that are named. */
    private static final int MOST_DAMAGED = 100;

    private final Questions questions;
    private final Scans scans;
    private final Drills.World world;
    private final Clock clock;
    private final Watcher watcher;
    private final List<Place> there = new ArrayList<>();
    private final List<String> away = new ArrayList<>();
    private final List<String> damaged = new ArrayList<>();
    private long records;

    /** Hears how far it is. */
    interface Watcher {
        void at(String step, long done, long all);
    }

    /** A honeycomb with a catalog. */
    private record Place(int number, ByteString uuid, String desktop, String address, boolean connected) {}

    Drill(Questions questions, Scans scans, Drills.World world, Clock clock, Watcher watcher) {
        this.questions = questions;
        this.scans = scans;
        this.world = world;
        this.clock = clock;
        this.watcher = watcher;
    }

    /** Without a result it fails with {@link PosixException} and a sentence for people, or InterruptedException. */
    DrillResult run() throws InterruptedException {
        watcher.at("Looking at what there is.", 0, 0);
        findHoneycombs();
        checkMemory();
        LivingInodes living =
                new LivingInodes(questions.ask(state -> state.journal().applied()));
        inParts(part -> scans.runPart(part, Scans.PART, _ -> living::see));
        living.end();
        long mark = questions.ask(state -> state.journal().applied());
        watcher.at("Waiting until desktops have heard of the last changes.", 0, 0);
        BitSet late = awaitRecords();
        Namespace rebuilt;
        try {
            rebuilt = rebuild();
        } catch (IOException e) {
            return failed(e);
        }
        watcher.at("Comparing with the living namespace.", records, records);
        return compare(new DrillComparison(rebuilt, living, mark, read(), late));
    }

    private Namespace rebuild() throws IOException {
        try (CatalogAccess catalogs = world.catalogs().get()) {
            return CollectedRecords.read(connect(catalogs), new Collection()).tree(clock.now());
        }
    }

    /** That a desktop is switched off meanwhile says nothing of its records. */
    private DrillResult failed(IOException failure) {
        List<String> gone = questions.ask(state -> there.stream()
                .filter(place -> !state.honeycombs().numbered(place.number).isConnected())
                .map(Place::desktop)
                .toList());
        return gone.isEmpty()
                ? DrillResult.failed(
                        String.valueOf(failure.getMessage()),
                        "Put that right and repeat the drill: a recovery would fail as well.")
                : DrillResult.stopped(
                        String.join(", ", gone) + " went away while records were read",
                        "Repeat it, with what is awake.");
    }

    private void findHoneycombs() {
        List<Place> all = questions.ask(Drill::places);
        for (Place place : all) {
            if (place.connected) {
                there.add(place);
            } else {
                away.add(place.desktop);
            }
        }
        if (there.isEmpty()) {
            throw new PosixException(Errno.ENXIO, "no desktop that keeps records is awake");
        }
    }

    private static List<Place> places(QueenState state) {
        return state.honeycombs().all().stream()
                .filter(honeycomb -> !honeycomb.absence().isGivenUp())
                .map(honeycomb -> new Place(
                        honeycomb.number(),
                        honeycomb.uuid(),
                        honeycomb.desktop(),
                        honeycomb.address(),
                        honeycomb.isConnected()))
                .toList();
    }

    /** A queen-bee that has used up her heap ends. */
    private void checkMemory() {
        long needed = questions.ask(state -> state.namespace().size()) * BYTES_FOR_INODE;
        long free = world.freeMemory().getAsLong();
        if (needed > free) {
            throw new PosixException(
                    Errno.ENOMEM,
                    "it takes up to %d MB of the queen-bee's memory, and %d MB are free; start her with more (BEEFS_JAVA_OPTS=-Xmx4g)"
                            .formatted(needed >> 20, free >> 20));
        }
    }

    /** The numbers of those that have not heard in time of all changes up to now. */
    private BitSet awaitRecords() throws InterruptedException {
        // In a pass of its own: what was changed in the one before waits in the feeds by now.
        long now = questions.ask(_ -> clock.bootNanos());
        BitSet late = questions.ask(state -> late(state, now));
        while (!late.isEmpty() && clock.bootNanos() - now < CATCHING_UP.toNanos()) {
            world.pause().pause(LOOK);
            late = questions.ask(state -> late(state, now));
        }
        return late;
    }

    private BitSet late(QueenState state, long nanos) {
        BitSet late = new BitSet();
        for (Place place : there) {
            Honeycomb honeycomb = state.honeycombs().numbered(place.number);
            late.set(place.number, !honeycomb.isConnected() || !state.records().hasHeardAllUntil(honeycomb, nanos));
        }
        return late;
    }

    private List<RecordSource> connect(CatalogAccess catalogs) throws IOException {
        List<RecordSource> sources = new ArrayList<>();
        for (Place place : there) {
            sources.add(catalogs.connect(place.address, place.uuid, there.size()));
        }
        return sources;
    }

    private BitSet read() {
        BitSet read = new BitSet();
        there.forEach(place -> read.set(place.number));
        return read;
    }

    private DrillResult compare(DrillComparison comparison) throws InterruptedException {
        inParts(part -> scans.runPart(part, PART, comparison::visitor));
        long[] strangers = comparison.strangers();
        for (int from = 0; from < strangers.length; from += PART) {
            int begin = from;
            int end = Math.min(strangers.length, from + PART);
            questions.ask(state -> {
                comparison.compareStrangers(strangers, begin, end, state);
                return true;
            });
        }
        List<String> read =
                there.stream().map(Place::desktop).sorted(NaturalOrder.INSTANCE).toList();
        return DrillResult.of(
                read,
                away.stream().sorted(NaturalOrder.INSTANCE).toList(),
                List.copyOf(damaged),
                comparison.findings());
    }

    /** Others look at files between two parts. */
    private void inParts(Function<Integer, Integer> step) throws InterruptedException {
        int position = 0;
        do {
            position = step.apply(position);
            world.pause().pause(BETWEEN_PARTS);
        } while (position != 0);
    }

    /** Rests as long as it has worked. */
    private final class Collection implements CollectionListener {
        private long working = clock.bootNanos();
        private long rested;

        @Override
        public void reached(long done, long all) throws IOException {
            records = done;
            if (done - rested < BATCH) {
                return;
            }
            rested = done;
            watcher.at("Reading the records of desktops.", done, all);
            try {
                world.pause().pause(Duration.ofNanos(clock.bootNanos() - working));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while records were collected", e);
            }
            working = clock.bootNanos();
        }

        @Override
        public void leftOut(long inode, String catalog) {
            add(inode, catalog, "no queen-bee can have written it");
        }

        @Override
        public void damaged(long inode, String catalog, IOException cause) {
            add(inode, catalog, String.valueOf(cause.getMessage()));
        }

        private void add(long inode, String catalog, String why) {
            if (damaged.size() < MOST_DAMAGED) {
                damaged.add("the record of inode %x in %s makes no sense: %s".formatted(inode, catalog, why));
            }
        }
    }
}
