package org.beefs.simulator;

import com.google.protobuf.ByteString;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.beefs.common.config.ByteSize;
import org.beefs.common.wire.Credentials;
import org.beefs.common.wire.HiveReport;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.filesystem.FileSystem.OpenFlags;
import org.beefs.queenbee.hive.Presence;
import org.beefs.simulator.hive.Bounds;
import org.beefs.simulator.hive.CopyWatch;
import org.beefs.simulator.hive.Hive;
import org.beefs.simulator.hive.Sabotage;
import org.beefs.simulator.hive.SimDesktop;
import org.beefs.simulator.hive.Storage;
import org.beefs.simulator.model.Breach;
import org.beefs.simulator.world.World;

/** A hive of as many desktops as a company has, with files on all of them, in which nobody writes any more. */
final class ManyDesktops {
    static final int DESKTOPS = 200;
    static final int REPLICAS = 3;
    static final int FILES = 300;
    static final Duration GRACE_TIME = Duration.ofMinutes(2);

    private static final int LARGEST = 64 << 10;

    /** Some files at a time, of many: as in a real hive, in which all is larger. */
    private static final Storage.Repair REPAIR =
            new Storage.Repair(GRACE_TIME, new ByteSize(4 * LARGEST), new ByteSize(1 << 20));

    private static final Duration MOMENT = Duration.ofMillis(100);
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final Credentials ROOT = Credentials.getDefaultInstance();
    private static final OpenFlags WRITING = new OpenFlags(true, true, false, false, false, false);

    private final World world;
    private final Hive hive;
    private final CopyWatch copies;
    private final SplittableRandom random;
    private final Map<String, Presence> presences = new HashMap<>();
    private final Map<String, Integer> changes = new HashMap<>();
    private int losses;

    ManyDesktops(long seed) {
        random = new SplittableRandom(seed);
        world = new World(random.split());
        hive = new Hive(world, Storage.of(DESKTOPS, REPAIR), Bounds.WIDE, Sabotage.NONE);
        copies = hive.watchCopies();
        hive.start();
        runUntil(hive::isReady, "the hive did not come up");
        writeFiles();
        runUntil(() -> filesWith(REPLICAS) == FILES, "files did not get their replicas");
        presences.putAll(hive.queenBee().presences());
    }

    private void writeFiles() {
        List<CompletableFuture<Void>> written = new ArrayList<>();
        for (int file = 0; file < FILES; file++) {
            SimDesktop desktop = hive.desktops().get(random.nextInt(DESKTOPS));
            written.add(write(desktop.fileSystem(), ByteString.copyFromUtf8("file" + file)));
        }
        CompletableFuture<Void> all = CompletableFuture.allOf(written.toArray(CompletableFuture[]::new));
        runUntil(all::isDone, "files cannot be written");
        all.join();
    }

    /** Each in a directory of its own, so that desktops need not be asked to forget what others make. */
    private CompletableFuture<Void> write(FileSystem files, ByteString name) {
        byte[] content = new byte[1 + random.nextInt(LARGEST)];
        random.nextBytes(content);
        return hive.desktops()
                .getFirst()
                .fileSystem()
                .makeDirectory(ROOT, FileSystem.ROOT, name, 0777, 0)
                .thenCompose(
                        _ -> files.lookup(ROOT, FileSystem.ROOT, name)) // which the queen-bee may not have heard of yet
                .thenCompose(directory -> files.create(ROOT, directory.getInode(), name, 0666, 0, WRITING))
                .thenCompose(opened -> files.write(opened.handle(), 0, Unpooled.wrappedBuffer(content), false, false)
                        .thenCompose(_ -> files.release(opened.handle())));
    }

    /** Some desktops, drawn from the seed. */
    List<SimDesktop> some(int number) {
        List<SimDesktop> all = new ArrayList<>(hive.desktops());
        Collections.shuffle(all, new Random(random.nextLong()));
        return List.copyOf(all.subList(0, number));
    }

    /** At once: some machines fall silent, of others the daemon ends. */
    void vanish(Collection<SimDesktop> desktops) {
        for (SimDesktop desktop : desktops) {
            if (random.nextBoolean()) {
                desktop.fallAsleep();
            } else {
                desktop.kill();
            }
        }
    }

    /** At once, whether they are asleep or dead. */
    void comeBack(Collection<SimDesktop> desktops) {
        desktops.forEach(SimDesktop::wakeUp);
        desktops.forEach(SimDesktop::ensureRunning);
    }

    void runFor(Duration time) {
        long end = world.scheduler().now() + time.toNanos();
        while (world.scheduler().now() < end) {
            moment();
        }
    }

    void runUntil(BooleanSupplier condition, String otherwise) {
        long latest = world.scheduler().now() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (world.scheduler().now() > latest) {
                throw new AssertionError(otherwise);
            }
            moment();
        }
    }

    private void moment() {
        world.scheduler().runFor(MOMENT.toNanos());
        if (!presences.isEmpty()) {
            hive.queenBee().presences().forEach((desktop, presence) -> {
                if (presences.put(desktop, presence) != presence) {
                    changes.merge(desktop, 1, Integer::sum);
                    losses += presence == Presence.LOST ? 1 : 0;
                }
            });
        }
    }

    /** How often desktops were seen to come, go or be lost, of each that was. */
    Map<String, Integer> changes() {
        return changes;
    }

    /** How often desktops were seen to be lost. */
    int losses() {
        return losses;
    }

    /** Desktops that are now as given. */
    long count(Presence presence) {
        return presences.values().stream().filter(presence::equals).count();
    }

    /** Files of which so many current replicas are awake. */
    long filesWith(int replicas) {
        return hive.queenBee().awakeReplicas().values().stream()
                .filter(awake -> awake == replicas)
                .count();
    }

    /** Replicas in all desktops' folders, those that are away too. */
    long replicasOnDisk() {
        return hive.desktops().stream()
                .flatMap(desktop -> desktop.disk().stream())
                .mapToLong(disk -> disk.replicas().size())
                .sum();
    }

    HiveReport report() {
        hive.askReport();
        runUntil(hive::hasReport, "the queen-bee does not report");
        return hive.report();
    }

    CopyWatch copies() {
        return copies;
    }

    /** As {@link Hive#contradictions}. */
    List<Breach> contradictions() {
        return hive.contradictions();
    }

    /** The same for two runs that did the same. */
    long digest() {
        return world.scheduler().scheduled() * 31 + copies.arrived();
    }
}
