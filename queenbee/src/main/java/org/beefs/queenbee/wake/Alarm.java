package org.beefs.queenbee.wake;

import java.io.IOException;
import org.beefs.common.wire.WakeAddresses;

/** Wakes a desktop. */
@FunctionalInterface
public interface Alarm {
    /** Done when something was sent, whether or not it is heard. Fails when nothing could be sent. */
    void ring(WakeAddresses addresses) throws IOException;
}
