package org.beefs.honeycomb.server;

import java.util.SortedMap;
import java.util.concurrent.atomic.LongAdder;
import org.beefs.common.metrics.Latencies.Reading;
import org.beefs.common.metrics.MeasuredService;
import org.beefs.common.metrics.OperationTimes;
import org.beefs.common.wire.DataRequest;
import org.beefs.common.wire.DataRequest.OperationCase;

/** Requests of other desktops to this honeycomb, and how long they took. Thread-safe. */
public final class Traffic implements MeasuredService.Measure<DataRequest> {
    private final OperationTimes<OperationCase> times = new OperationTimes<>();
    private final LongAdder received = new LongAdder();
    private final LongAdder sent = new LongAdder();

    Traffic() {}

    @Override
    public void answered(DataRequest request, long nanos, long receivedBytes, long sentBytes) {
        times.took(request.getOperationCase(), nanos);
        received.add(receivedBytes);
        sent.add(sentBytes);
    }

    /** Times by operation. */
    public SortedMap<String, Reading> times() {
        return times.read();
    }

    /** Bytes of content that came. */
    public long received() {
        return received.sum();
    }

    /** Bytes of content that went. */
    public long sent() {
        return sent.sum();
    }
}
