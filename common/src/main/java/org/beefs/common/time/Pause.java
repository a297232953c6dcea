package org.beefs.common.time;

import java.time.Duration;

/** Lets time pass. */
public interface Pause {
    void pause(Duration time) throws InterruptedException;
}
