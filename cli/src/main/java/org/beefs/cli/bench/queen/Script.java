package org.beefs.cli.bench.queen;

import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;

/** What one lane asks for, one thing after the other. Belongs to the network's thread. */
interface Script {
    /** The next request. */
    QueenRequest.Builder next();

    /** The answer to it, which is no failure. */
    void answered(QueenReply reply);

    /** Whether it may end here: nothing is left of what it has made. */
    boolean isAtRest();
}
