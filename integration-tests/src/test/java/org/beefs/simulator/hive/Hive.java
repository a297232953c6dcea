package org.beefs.simulator.hive;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.beefs.common.wire.HiveReport;
import org.beefs.honeycomb.memory.MemoryDisk;
import org.beefs.simulator.model.Breach;
import org.beefs.simulator.model.Invariant;
import org.beefs.simulator.world.SimNetwork;
import org.beefs.simulator.world.SimScheduler;
import org.beefs.simulator.world.World;
import org.jspecify.annotations.Nullable;

/** A queen-bee and some desktops, not all of them with honeycombs. */
public final class Hive {
    /** Permissions of the root directory of a new hive. */
    public static final int ROOT_PERMISSIONS = 0755;

    private final Sabotage sabotage;
    private final World world;
    private final Storage storage;
    private final RecordsHold records;
    private final WireWatch watch;
    private final SimQueenBee queenBee;
    private final List<SimDesktop> desktops;
    private final ReplicaWatch replicas;
    private final VersionWatch versions;
    private final Decay decay = new Decay();
    private @Nullable HiveReport report;

    public Hive(World world, Storage storage, Bounds bounds, Sabotage sabotage) {
        this.sabotage = sabotage;
        this.world = world;
        this.storage = storage;
        this.records = new RecordsHold("desktop1", new Saboteur(sabotage));
        this.watch = new WireWatch(records);
        world.network().setFilter(watch);
        this.queenBee = new SimQueenBee(world, storage, bounds, sabotage);
        InetSocketAddress address = queenBee.address();
        List<SimDesktop> made = new ArrayList<>();
        for (long capacity : storage.capacities()) {
            made.add(new SimDesktop(
                    world,
                    "desktop" + (made.size() + 1),
                    address,
                    capacity,
                    storage.repair().copyRate(),
                    bounds,
                    sabotage));
        }
        this.desktops = List.copyOf(made);
        this.replicas = new ReplicaWatch(
                watch,
                desktops.stream().flatMap(desktop -> desktop.disk().stream()).toList());
        this.versions = new VersionWatch(queenBee, desktops);
    }

    public void start() {
        queenBee.start();
        desktops.forEach(SimDesktop::start);
    }

    /** Whether all desktops have registered. */
    public boolean isReady() {
        return desktops.stream().allMatch(SimDesktop::isConnected);
    }

    /** Whether all desktops but some have registered. */
    public boolean isReadyWithout(Collection<SimDesktop> off) {
        return desktops.stream().allMatch(desktop -> off.contains(desktop) || desktop.isConnected());
    }

    /** The power fails at all hosts. */
    public void losePower() {
        queenBee.losePower();
        desktops.forEach(SimDesktop::losePower);
    }

    /**
     * All daemons end but that of one desktop, whose files move on to others. Then they start again.
     *
     * @return the content of each file that has moved, by inode number
     */
    public Map<Long, ByteString> moveOn(SimDesktop lost) {
        queenBee.kill();
        List<SimDesktop> others =
                desktops.stream().filter(desktop -> desktop != lost).toList();
        others.forEach(SimDesktop::kill);
        try {
            Map<Long, ByteString> moved = new MoveOn(queenBee.written(), desktops).from(lost);
            queenBee.ensureRunning();
            others.forEach(SimDesktop::ensureRunning);
            return moved;
        } catch (IOException e) {
            throw new IllegalStateException("the queen-bee's disk is unreadable", e);
        }
    }

    /**
     * A bit flips in a replica on the disk of a desktop whose daemon does not run, of a version that is elsewhere too;
     * or nothing happens.
     *
     * @return whether it has happened
     */
    public boolean decay(SimDesktop desktop) {
        return decay.strike(desktop, desktops, queenBee::isSealed);
    }

    /** Asks the queen-bee how she sees the hive. */
    public void askReport() {
        report = null;
        queenBee.askReport(answer -> report = answer);
    }

    public boolean hasReport() {
        return report != null;
    }

    public HiveReport report() {
        if (report == null) {
            throw new IllegalStateException("the queen-bee was not asked, or has not answered");
        }
        return report;
    }

    /** What must not have been on the wire, nor be on a disk, at any time. */
    public List<Breach> contradictions() {
        List<Breach> wrong = new ArrayList<>(watch.contradictions());
        wrong.addAll(replicaContradictions());
        wrong.addAll(versions.contradictions());
        queenBee.currentSecondaries().stream()
                .filter(secondary -> !lies(secondary))
                .forEach(secondary -> wrong.add(new Breach(
                        Invariant.WHOLE_VERSIONS,
                        "%s counts as current, and is not on the disk, where there is %s"
                                .formatted(
                                        secondary, replicas(secondary.version().inode())))));
        queenBee.newestVersions().stream()
                .filter(version -> !liesSomewhere(version))
                .forEach(version -> wrong.add(new Breach(Invariant.LAST_REPLICA, version + " is on no disk any more")));
        return wrong;
    }

    /** What must not be on a disk, whatever was lost. */
    public Collection<Breach> replicaContradictions() {
        return replicas.contradictions();
    }

    /** What nobody has synced is gone after a loss of power, and can be neither sealed nor copied. */
    private boolean isOnADisk(long inode) {
        return desktops.stream()
                .flatMap(desktop -> desktop.disk().stream())
                .flatMap(disk -> disk.look().stream())
                .anyMatch(replica -> replica.id().inode() == inode);
    }

    private boolean lies(SimQueenBee.Secondary secondary) {
        return desktops.stream()
                .filter(desktop -> desktop.host().name().equals(secondary.desktop()))
                .anyMatch(desktop -> has(desktop, secondary.version()));
    }

    /** What disks have of an inode, for people. */
    public Map<String, List<MemoryDisk.Lying>> replicas(long inode) {
        Map<String, List<MemoryDisk.Lying>> found = new TreeMap<>();
        desktops.forEach(desktop -> desktop.disk()
                .ifPresent(disk -> found.put(
                        desktop.host().name(),
                        disk.look().stream()
                                .filter(replica -> replica.id().inode() == inode)
                                .toList())));
        return found;
    }

    private boolean liesSomewhere(SimQueenBee.Version version) {
        return desktops.stream().anyMatch(desktop -> has(desktop, version));
    }

    private long places(SimQueenBee.Version version) {
        return desktops.stream().filter(desktop -> has(desktop, version)).count();
    }

    private static boolean has(SimDesktop desktop, SimQueenBee.Version version) {
        return desktop.disk().stream()
                .flatMap(disk -> disk.look().stream())
                .anyMatch(replica -> replica.id().inode() == version.inode()
                        && replica.id().generation() == version.generation()
                        && replica.description() != null
                        && replica.description().getVersion() == version.version());
    }

    /** Whether nothing is left on a desktop's disk. */
    public boolean isEmpty(SimDesktop desktop) {
        return desktop.disk().stream().allMatch(disk -> disk.look().isEmpty());
    }

    /** Lets the catalog of one honeycomb lag behind from now on, or catch up. */
    public void holdRecords(boolean hold) {
        records.setHolding(hold);
    }

    /**
     * The queen-bee's disk dies, and she goes on with what catalogs know.
     *
     * @param off whose machines are off: their catalogs are not asked
     */
    public void recover(Collection<SimDesktop> off) {
        queenBee.recover(desktops.stream()
                .filter(desktop -> desktop.disk().isPresent() && !off.contains(desktop))
                .map(desktop -> new CatalogPages(desktop, UnaryOperator.identity()))
                .toList());
    }

    /** Desktops without whose catalog a recovery would find the same names now. */
    public List<SimDesktop> dispensable() {
        return desktops.stream().filter(this::isDispensable).toList();
    }

    private boolean isDispensable(SimDesktop off) {
        List<SimDesktop> others =
                desktops.stream().filter(desktop -> desktop != off).toList();
        return recoveryDifferences(others).isEmpty();
    }

    /** How the namespace would differ that a recovery would make now, of a hive in which nothing changes. */
    public List<String> recoveryDifferences() {
        List<String> differences = new ArrayList<>(recoveryDifferences(desktops));
        if (records.lagging().isEmpty() && queenBee.tombstones() != 0) {
            differences.add(queenBee.tombstones() + " removed inodes are not forgotten by all catalogs");
        }
        return differences;
    }

    /** The same, of a hive in which some desktops are left, from what these know alone. */
    public List<String> recoveryDifferences(List<SimDesktop> left) {
        return new RecoveryCheck(left, records.lagging(), sabotage).differences(queenBee.written(), queenBee.clock());
    }

    /** What must not be in a hive at rest. */
    public List<String> unrest() {
        List<String> unrest = new ArrayList<>();
        queenBee.opens().forEach(open -> unrest.add(open + " though nothing is open"));
        queenBee.unsealed().stream()
                .filter(this::isOnADisk)
                .forEach(inode -> unrest.add("the newest version of inode " + inode + " is still unsealed"));
        queenBee.unreplicated().stream()
                .filter(this::isOnADisk)
                .forEach(inode -> unrest.add("inode " + inode + " has other replicas than it could have"));
        queenBee.newestVersions().stream()
                .filter(version -> liesSomewhere(version) && places(version) < storage.leastReplicas())
                .forEach(version -> unrest.add("%s is on %d disks, and there is room for it on %d"
                        .formatted(version, places(version), storage.leastReplicas())));
        if (queenBee.locks() != 0) {
            unrest.add(queenBee.locks() + " locks are held though nothing is open");
        }
        if (report().getDirtyFiles() != 0) {
            unrest.add(report().getDirtyFiles() + " files are dirty though nothing is open");
        }
        if (report().getPendingDrops() != 0) {
            unrest.add(report().getPendingDrops() + " removals of replicas are pending though all desktops are there");
        }
        return unrest;
    }

    /** Whether the queen-bee has copies made as if a desktop could not reach another, by her last report. */
    public boolean isAnyUnreached() {
        return report().getDesktopsList().stream().anyMatch(desktop -> desktop.getUnreachedDesktopsCount() > 0);
    }

    /** Watches what desktops copy from now on. */
    public CopyWatch watchCopies() {
        CopyWatch copies = new CopyWatch(watch, world.scheduler(), storage.repair());
        world.network().setFilter(copies);
        return copies;
    }

    public SimQueenBee queenBee() {
        return queenBee;
    }

    public List<SimDesktop> desktops() {
        return desktops;
    }

    public SimNetwork network() {
        return world.network();
    }

    public SimScheduler scheduler() {
        return world.scheduler();
    }
}
