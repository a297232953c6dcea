package org.beefs.honeybee.data;

import org.beefs.common.wire.Hello;

/**
 * The process that answers for a honeycomb. Another one has forgotten which requests were carried out.
 *
 * @param number what it says of itself; 0 when it says nothing
 * @param connection tells processes without a number apart: each connection counts as a process of its own then
 */
record HoneycombProcess(long number, long connection) {
    /** Before the first connection. */
    static final HoneycombProcess UNKNOWN = new HoneycombProcess(0, 0);

    static HoneycombProcess of(Hello hello, long connection) {
        return hello.getProcess() == 0
                ? new HoneycombProcess(0, connection)
                : new HoneycombProcess(hello.getProcess(), 0);
    }
}
