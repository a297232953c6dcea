package org.beefs.simulator.model;

import com.google.protobuf.ByteString;
import java.util.List;

/**
 * A write that was answered and need not be where others see it: as long as nothing goes wrong, nobody can tell.
 *
 * @param operation that wrote
 * @param node the model's number of the file
 */
record HeldWrite(int operation, long node, long offset, ByteString data) {
    /** It may come late, or not at all. */
    Operation late() {
        return new Operation("what operation %d wrote, late".formatted(operation), List.of(Opening.late(this)), true);
    }
}
