package org.beefs.simulator.world;

import java.util.List;
import org.beefs.common.rpc.Frame;

/** Sees each frame as it reaches a process, to check it or, to plant a fault, to change it. */
@FunctionalInterface
public interface FrameFilter {
    FrameFilter NONE = (from, to, frame) -> List.of(frame);

    /** The frames to deliver instead, usually the same one. */
    List<Frame> arriving(SimProcess from, SimProcess to, Frame frame);
}
