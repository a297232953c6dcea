package org.beefs.simulator.hive;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.beefs.common.rpc.Frame;
import org.beefs.common.wire.DirectoryEntry;
import org.beefs.common.wire.Layout;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.Registered;
import org.beefs.common.wire.Timestamp;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.simulator.model.Breach;
import org.beefs.simulator.model.Invariant;
import org.beefs.simulator.world.FrameFilter;
import org.beefs.simulator.world.SimProcess;

/**
 * Listens to all answers of the queen-bee: no number may be used twice with different meanings, whatever crashed in
 * between.
 */
final class WireWatch implements FrameFilter {
    private record Epoch(long inode, int generation, long epoch) {}

    private record Version(long inode, int generation, long version) {}

    private record Content(long size, Timestamp mtime) {}

    private final FrameFilter next;
    private final Map<Epoch, ByteString> primaries = new HashMap<>();
    private final Map<Version, Content> contents = new HashMap<>();
    private final Map<Long, SimProcess> incarnations = new HashMap<>();
    private final Map<Long, SimProcess> sessions = new HashMap<>();
    private final Set<Breach> contradictions = new LinkedHashSet<>();

    /** Sees each frame before {@code next}, which may change it. */
    WireWatch(FrameFilter next) {
        this.next = next;
    }

    Set<Breach> contradictions() {
        return contradictions;
    }

    @Override
    public List<Frame> arriving(SimProcess from, SimProcess to, Frame frame) {
        MessageLite message = Wire.read(from, to, frame);
        if (message instanceof QueenReply reply) {
            see(reply.getNode());
            reply.getTouchedList().forEach(this::see);
            reply.getDirectoryPage().getEntriesList().stream()
                    .map(DirectoryEntry::getNode)
                    .forEach(this::see);
            if (reply.hasRegistered()) {
                see(reply.getRegistered(), from, to);
            }
        }
        return next.arriving(from, to, frame);
    }

    /** Whether a replica is as long as the version that it carries, as far as that was told to anybody. */
    boolean isContentOf(ReplicaDescription replica, long size) {
        Content told = contents.get(new Version(replica.getInode(), replica.getGeneration(), replica.getVersion()));
        return told == null || told.size() == size;
    }

    private void see(Node node) {
        if (!node.hasLayout()) {
            return;
        }
        Layout layout = node.getLayout();
        Epoch epoch = new Epoch(layout.getInode(), layout.getGeneration(), layout.getEpoch());
        once(Invariant.ONE_PRIMARY, primaries, epoch, layout.getHoneycomb(), "an epoch has two primaries");
        if (layout.getVersion() > 0) {
            Version version = new Version(layout.getInode(), layout.getGeneration(), layout.getVersion());
            Content content = new Content(layout.getCommittedSize(), layout.getCommittedMtime());
            once(Invariant.NUMBERS_ONCE, contents, version, content, "a version has two contents");
        }
    }

    private void see(Registered registered, SimProcess queenBee, SimProcess desktop) {
        once(
                Invariant.NUMBERS_ONCE,
                incarnations,
                registered.getIncarnation(),
                queenBee,
                "an incarnation is used by two queen-bees");
        once(Invariant.NUMBERS_ONCE, sessions, registered.getSession(), desktop, "a session is used by two daemons");
    }

    private <K, V> void once(Invariant rule, Map<K, V> known, K key, V value, String otherwise) {
        V before = known.putIfAbsent(key, value);
        if (before != null && !before.equals(value)) {
            contradictions.add(new Breach(
                    rule,
                    "%s: %s is %s and %s"
                            .formatted(otherwise, key, before, value)
                            .replace('\n', ' ')));
        }
    }
}
