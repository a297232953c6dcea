package org.beefs.simulator.hive;

import java.util.List;
import java.util.Optional;
import org.beefs.common.rpc.Frame;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.simulator.world.FrameFilter;
import org.beefs.simulator.world.SimProcess;

/** Loses what the queen-bee tells one honeycomb's catalog, as long as it is to lag behind the others. */
final class RecordsHold implements FrameFilter {
    private final String desktop;
    private final FrameFilter next;
    private boolean holding;

    /** @param next sees all that is not lost */
    RecordsHold(String desktop, FrameFilter next) {
        this.desktop = desktop;
        this.next = next;
    }

    /** Whose catalog lags behind now. */
    Optional<String> lagging() {
        return holding ? Optional.of(desktop) : Optional.empty();
    }

    void setHolding(boolean hold) {
        holding = hold;
    }

    @Override
    public List<Frame> arriving(SimProcess from, SimProcess to, Frame frame) {
        boolean lost = holding
                && to.toString().equals(desktop)
                && Wire.read(from, to, frame) instanceof DesktopRequest request
                && request.hasRecords();
        return lost ? List.of() : next.arriving(from, to, frame);
    }
}
