package org.beefs.simulator.world;

import org.beefs.common.rpc.Frame;

/** Sees each frame as it reaches a process, to check it or, to plant a fault, to change it. */
@FunctionalInterface
public interface FrameFilter {
    FrameFilter NONE = (from, to, frame) -> frame;

    /** The frame to deliver instead, usually the same. */
    Frame arriving(SimProcess from, SimProcess to, Frame frame);
}
