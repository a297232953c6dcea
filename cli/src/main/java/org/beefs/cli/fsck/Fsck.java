package org.beefs.cli.fsck;

import com.google.protobuf.ByteString;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.beefs.cli.daemon.World;
import org.beefs.cli.terminal.ProgressBar;
import org.beefs.common.config.Addresses;
import org.beefs.common.posix.PosixException;
import org.beefs.common.rpc.tcp.HiveKey;
import org.beefs.common.time.ProductionOnly;
import org.beefs.common.wire.CheckedEntries;
import org.beefs.common.wire.CheckedFile;
import org.beefs.common.wire.CheckedInodes;
import org.beefs.common.wire.CheckedReplicas;
import org.beefs.common.wire.ContentVerdict;
import org.beefs.common.wire.DesktopReport;
import org.beefs.common.wire.Finding;
import org.beefs.common.wire.HiveReport;
import org.beefs.common.wire.HoneycombOffer;
import org.beefs.common.wire.LookAgain;
import org.beefs.common.wire.ReplicaLook;
import org.beefs.common.wire.ReplicaNumber;
import org.jspecify.annotations.Nullable;

/**
 * One check of a hive that works. It goes through all inodes at the queen-bee, part by part, and has the honeycombs
 * look at what they must have; then through what each honeycomb has. It decides nothing: the queen-bee judges what
 * honeycombs say.
 */
@ProductionOnly
final class Fsck implements AutoCloseable {
    /** Replicas that are looked at with one request. */
    private static final int PAGE = 1024;

    /** How often something is looked at that changes meanwhile. */
    private static final int MOST_LOOKS = 8;

    private final World world;
    private final QueenBeePeer queenBee;
    private final Peer connection;
    private final boolean content;
    private final boolean repair;
    private final Map<ByteString, HoneycombPeer> honeycombs = new LinkedHashMap<>();
    private final List<String> unchecked = new ArrayList<>();
    private final Findings findings = new Findings();

    /** Of the findings, the last part's. */
    private final Set<Place> wrong = new HashSet<>();

    private long inodes;
    private long replicas;
    private long busy;
    private boolean complete;

    /** Of a replica. */
    private record Place(long inode, String desktop) {}

    private Fsck(World world, Peer connection, boolean repair, boolean content) {
        this.world = world;
        this.connection = connection;
        this.queenBee = new QueenBeePeer(connection, repair);
        this.repair = repair;
        this.content = content;
    }

    /**
     * Fails with {@link PosixException} when the queen-bee cannot be reached.
     *
     * @param key the hive's, if it has one
     * @param repair whether to repair what can be repaired without losing anything
     * @param content whether to read and compare the content of all replicas
     */
    static Fsck of(InetSocketAddress queenBee, @Nullable HiveKey key, boolean repair, boolean content) {
        World world = World.open(key);
        try {
            return new Fsck(world, Peer.connect(queenBee, world), repair, content);
        } catch (PosixException e) {
            world.close();
            throw e;
        }
    }

    /** Checks. Fails with {@link PosixException} when the queen-bee ceases to answer. */
    void run(PrintWriter progress, boolean terminal) {
        HiveReport hive = queenBee.status();
        hive.getDesktopsList().stream().filter(DesktopReport::hasHoneycomb).forEach(this::connect);
        ProgressBar names = new ProgressBar("files", hive.getInodes(), progress, terminal, world.clock());
        Map<HoneycombPeer, Long> expected = checkInodes(names);
        names.end();
        List<HoneycombPeer> left = List.copyOf(honeycombs.values());
        long all = left.stream()
                .mapToLong(honeycomb -> expected.getOrDefault(honeycomb, 0L))
                .sum();
        ProgressBar found = new ProgressBar("honeycombs", all, progress, terminal, world.clock());
        left.forEach(honeycomb -> isDone(() -> checkAll(honeycomb, found)));
        found.end();
        complete = true;
    }

    /** What was found until now, also by a check that has failed. */
    FsckReport report() {
        return new FsckReport(
                inodes, replicas, repair, findings.listed(), unchecked, busy, complete, findings.unlisted());
    }

    @Override
    public void close() {
        honeycombs.values().forEach(HoneycombPeer::close);
        connection.close();
        world.close();
    }

    private void connect(DesktopReport desktop) {
        HoneycombOffer offer = desktop.getHoneycomb();
        if (!desktop.getConnected() || offer.getAddress().isEmpty()) {
            unchecked.add("the replicas of %s, which is away".formatted(desktop.getDesktop()));
            return;
        }
        try {
            Peer peer = Peer.connect(Addresses.parse(offer.getAddress()), offer.getUuid(), world);
            honeycombs.put(offer.getUuid(), new HoneycombPeer(offer.getUuid(), desktop.getDesktop(), peer, repair));
        } catch (PosixException | IllegalArgumentException e) { // the latter: it is no address
            unchecked.add("the replicas of %s (%s)".formatted(desktop.getDesktop(), e.getMessage()));
        }
    }

    /** Answers how many replicas each honeycomb must have. */
    private Map<HoneycombPeer, Long> checkInodes(ProgressBar bar) {
        Map<HoneycombPeer, Long> expected = new HashMap<>();
        int from = 0;
        do {
            CheckedInodes part = queenBee.inodes(from);
            wrong.clear();
            found(part.getFindingsList());
            part.getDirectoriesList().forEach(this::checkEntries);
            Map<HoneycombPeer, List<ReplicaNumber>> wanted = wanted(part);
            wanted.forEach((honeycomb, numbers) -> {
                expected.merge(honeycomb, (long) numbers.size(), Long::sum);
                isDone(() -> settle(honeycomb, numbers, honeycomb::inspect));
            });
            if (content) {
                part.getFilesList().forEach(this::compareContent);
            }
            inodes += part.getSeen();
            bar.advance(part.getSeen());
            from = part.getNext();
        } while (from != 0);
        return expected;
    }

    private void checkEntries(long directory) {
        CheckedEntries position = CheckedEntries.getDefaultInstance();
        do {
            position = queenBee.entries(directory, position);
            found(position.getFindingsList());
        } while (position.getAfter() != 0);
    }

    private Map<HoneycombPeer, List<ReplicaNumber>> wanted(CheckedInodes part) {
        Map<HoneycombPeer, List<ReplicaNumber>> wanted = new LinkedHashMap<>();
        for (CheckedFile file : part.getFilesList()) {
            for (HoneycombPeer honeycomb : connected(file.getHoneycombsList())) {
                wanted.computeIfAbsent(honeycomb, _ -> new ArrayList<>()).add(file.getReplica());
            }
        }
        return wanted;
    }

    private List<HoneycombPeer> connected(List<ByteString> uuids) {
        return uuids.stream().map(honeycombs::get).filter(Objects::nonNull).toList();
    }

    /** What the honeycomb has of all files, also of those that have it not there. */
    private void checkAll(HoneycombPeer honeycomb, ProgressBar bar) {
        @Nullable ReplicaNumber last = null;
        List<ReplicaLook> looks = honeycomb.next(null, PAGE);
        while (!looks.isEmpty()) {
            last = looks.getLast().getReplica();
            replicas += looks.size();
            wrong.clear();
            judge(honeycomb, looks, true, honeycomb::inspect);
            bar.advance(looks.size());
            looks = honeycomb.next(last, PAGE);
        }
    }

    /** Once more among the others, whenever one of those that have it fails. */
    private void compareContent(CheckedFile file) {
        if (!isDone(() -> checkContent(file))) {
            compareContent(file);
        }
    }

    /** Where something is wrong already, nothing is compared. */
    private void checkContent(CheckedFile file) {
        List<HoneycombPeer> places = connected(file.getCurrentHoneycombsList()).stream()
                .filter(honeycomb -> !wrong.contains(new Place(file.getReplica().getInode(), honeycomb.desktop())))
                .toList();
        ContentComparison.of(file, places).forEach((honeycomb, verdict) -> {
            if (verdict != ContentVerdict.CONTENT_FINE) {
                settle(honeycomb, List.of(file.getReplica()), numbers -> {
                    ContentVerdict now =
                            ContentComparison.of(file, places).getOrDefault(honeycomb, ContentVerdict.CONTENT_FINE);
                    return honeycomb.inspect(numbers).stream()
                            .map(look -> look.toBuilder().setContent(now).build())
                            .toList();
                });
            }
        });
    }

    /** Does a part of the check; false when a honeycomb has failed meanwhile, which is asked nothing any more. */
    private boolean isDone(Runnable part) {
        try {
            part.run();
            return true;
        } catch (HoneycombFailure e) {
            giveUp(e);
            return false;
        }
    }

    private void giveUp(HoneycombFailure failure) {
        HoneycombPeer failed = honeycombs.remove(failure.uuid());
        if (failed != null) {
            unchecked.add("some replicas of %s (%s)".formatted(failed.desktop(), failure.getMessage()));
            failed.close();
        }
    }

    private void settle(
            HoneycombPeer honeycomb,
            List<ReplicaNumber> numbers,
            Function<List<ReplicaNumber>, List<ReplicaLook>> looking) {
        judge(honeycomb, looking.apply(numbers), false, looking);
    }

    /** Has the queen-bee judge what was seen, and looks again at what she is not sure of. */
    private void judge(
            HoneycombPeer honeycomb,
            List<ReplicaLook> seen,
            boolean strays,
            Function<List<ReplicaNumber>, List<ReplicaLook>> looking) {
        CheckedReplicas judged = queenBee.judge(honeycomb, seen, strays);
        found(judged.getFindingsList());
        for (int round = 1; round < MOST_LOOKS && judged.getAgainCount() > 0; round++) {
            judged = queenBee.judge(honeycomb, lookAgain(judged.getAgainList(), looking), strays);
            found(judged.getFindingsList());
        }
        busy += judged.getAgainCount();
    }

    private void found(List<Finding> more) {
        more.forEach(findings::add);
        more.forEach(finding -> wrong.add(new Place(finding.getInode(), finding.getDesktop())));
    }

    private static List<ReplicaLook> lookAgain(
            List<LookAgain> again, Function<List<ReplicaNumber>, List<ReplicaLook>> looking) {
        List<ReplicaLook> looks =
                looking.apply(again.stream().map(LookAgain::getReplica).toList());
        List<ReplicaLook> stamped = new ArrayList<>(looks.size());
        for (int i = 0; i < looks.size(); i++) {
            stamped.add(
                    looks.get(i).toBuilder().setStamp(again.get(i).getStamp()).build());
        }
        return stamped;
    }
}
