package org.beefs.integration;

import org.beefs.integration.hive.OnDriver;
import org.beefs.integration.program.Seldom;

/** Through the second driver. */
@Seldom
@OnDriver("jnr")
class LocksJnrIT extends LocksIT {
    @Override
    boolean isExact() {
        return false;
    }
}
