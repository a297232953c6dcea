package org.beefs.queenbee.hive;

import java.util.Locale;

/** Whether a honeycomb is there. */
public enum Presence {
    AWAKE,
    /** It said goodbye or is silent, which is normal, and no reason to copy anything. */
    ASLEEP,
    /** It was away for longer than the grace time, or somebody has said that it does not come back. */
    LOST;

    /** As people read it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public org.beefs.common.wire.Presence toWire() {
        return switch (this) {
            case AWAKE -> org.beefs.common.wire.Presence.AWAKE;
            case ASLEEP -> org.beefs.common.wire.Presence.ASLEEP;
            case LOST -> org.beefs.common.wire.Presence.LOST;
        };
    }
}
