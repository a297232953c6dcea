package org.beefs.simulator.hive;

import com.google.protobuf.MessageLite;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.beefs.common.rpc.Frame;
import org.beefs.common.rpc.Payload;
import org.beefs.common.wire.DataReply;
import org.beefs.common.wire.DesktopReply;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.common.wire.Fetch;
import org.beefs.common.wire.QueenRequest;
import org.beefs.simulator.world.FrameFilter;
import org.beefs.simulator.world.SimProcess;
import org.beefs.simulator.world.SimScheduler;

/** Sees on the wire what desktops copy, and whether that stays within the bounds that their owners were promised. */
public final class CopyWatch implements FrameFilter {
    private static final double NANOS = 1e9;

    /** What was admitted in turn may arrive together after as long as frames and hand-overs take. Seconds. */
    private static final double JITTER = 0.01;

    /** What one desktop was told to copy, and has not answered. */
    private record Copying(int files, long bytes) {}

    /** What has arrived at a desktop, less what its rate has paid for since. */
    private record Debt(double bytes, long at) {}

    private final FrameFilter next;
    private final SimScheduler scheduler;
    private final Storage.Repair bounds;
    private final Map<SimProcess, Copying> underWay = new LinkedHashMap<>();
    private final Map<SimProcess, Debt> debts = new HashMap<>();
    private final Map<String, Integer> registrations = new HashMap<>();
    private final Map<String, Integer> inventories = new HashMap<>();
    private final Set<String> contradictions = new LinkedHashSet<>();
    private long largest;
    private long mostTogether;
    private long begun;
    private long arrived;
    private long mostBytes;
    private int mostFiles;

    /**
     * Sees each frame before {@code next}, which may change it.
     *
     * @param bounds that hold
     */
    CopyWatch(FrameFilter next, SimScheduler scheduler, Storage.Repair bounds) {
        this.next = next;
        this.scheduler = scheduler;
        this.bounds = bounds;
    }

    /** Bounds that did not hold. */
    public Set<String> contradictions() {
        return contradictions;
    }

    /** Copies that were asked for. */
    public long begun() {
        return begun;
    }

    /** What desktops have got from one another. Bytes. */
    public long arrived() {
        return arrived;
    }

    /** What was being copied in the whole hive when that was most. Bytes. */
    public long mostBytes() {
        return mostBytes;
    }

    /** Likewise, files. */
    public int mostFiles() {
        return mostFiles;
    }

    /** How often each desktop has registered so far. */
    public Map<String, Integer> registrations() {
        return Map.copyOf(registrations);
    }

    /** In how many messages each desktop has told what it holds, so far. */
    public Map<String, Integer> inventories() {
        return Map.copyOf(inventories);
    }

    @Override
    public List<Frame> arriving(SimProcess from, SimProcess to, Frame frame) {
        MessageLite message = Wire.read(from, to, frame);
        if (message instanceof DesktopRequest request
                && request.hasFetch()
                && !request.getFetch().getUrgent()) {
            begin(to, request.getFetch().getFetchesList());
        } else if (message instanceof DesktopReply reply && reply.getFetchedCount() > 0) {
            underWay.remove(from);
        } else if (message instanceof QueenRequest request) {
            see(from, request);
        } else if (message instanceof DataReply && frame.payload() instanceof Payload.Bytes content) {
            arrive(to, content.buffer().readableBytes());
        }
        return next.arriving(from, to, frame);
    }

    private void see(SimProcess desktop, QueenRequest request) {
        if (request.hasRegister()) {
            underWay.remove(desktop);
            registrations.merge(desktop.toString(), 1, Integer::sum);
        } else if (request.hasInventory()) {
            inventories.merge(desktop.toString(), 1, Integer::sum);
        }
    }

    private void begin(SimProcess desktop, List<Fetch> fetches) {
        underWay.keySet().removeIf(other -> !other.alive() || other.host().isAsleep());
        long bytes = fetches.stream().mapToLong(Fetch::getSize).sum();
        if (underWay.put(desktop, new Copying(fetches.size(), bytes)) != null) {
            contradictions.add(desktop + " was told to copy more before it had answered");
        }
        largest = Math.max(
                largest, fetches.stream().mapToLong(Fetch::getSize).max().orElse(0));
        mostTogether = Math.max(mostTogether, together(fetches));
        begun += fetches.size();
        long all = underWay.values().stream().mapToLong(Copying::bytes).sum();
        mostBytes = Math.max(mostBytes, all);
        mostFiles = Math.max(
                mostFiles, underWay.values().stream().mapToInt(Copying::files).sum());
        // The file that was begun last may not have fitted any more.
        if (all - largest >= bounds.copyBudget().bytes()) {
            contradictions.add("%d bytes were being copied, and %s are allowed".formatted(all, bounds.copyBudget()));
        }
    }

    /** The most that is admitted at once: small neighbours that come from the same sources travel together. Bytes. */
    private static long together(List<Fetch> fetches) {
        long most = 0;
        long bytes = 0;
        for (int i = 0; i < fetches.size(); i++) {
            Fetch fetch = fetches.get(i);
            boolean joins =
                    i > 0 && fetch.getSourcesList().equals(fetches.get(i - 1).getSourcesList());
            bytes = fetch.getSize() + (joins ? bytes : 0);
            most = Math.max(most, bytes);
        }
        return most;
    }

    private void arrive(SimProcess desktop, int bytes) {
        long now = scheduler.now();
        double rate = bounds.copyRate().bytes();
        Debt before = debts.getOrDefault(desktop, new Debt(0, now));
        double debt = Math.max(0, before.bytes() - (now - before.at()) / NANOS * rate) + bytes;
        debts.put(desktop, new Debt(debt, now));
        arrived += bytes;
        if (debt > mostTogether + JITTER * rate) {
            contradictions.add("%s got copies faster than %s in a second".formatted(desktop, bounds.copyRate()));
        }
    }
}
