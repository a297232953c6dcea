package org.beefs.honeycomb.replicator;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import org.beefs.honeycomb.store.content.Checksums;

/** A part of a file's content, in bytes. */
record Range(long offset, long length) {
    /** The blocks of a range whose checksums differ, or that only one side has; neighbours are one. */
    static List<Range> different(ByteString there, ByteString here, long offset, long length) {
        List<Range> ranges = new ArrayList<>();
        for (long done = 0; done < length; done += Checksums.BLOCK) {
            long block = Math.min(Checksums.BLOCK, length - done);
            int index = Math.toIntExact(done / Checksums.BLOCK);
            if (!checksum(there, index).equals(checksum(here, index))
                    || checksum(here, index).isEmpty()) {
                add(ranges, offset + done, block);
            }
        }
        return ranges;
    }

    private static ByteString checksum(ByteString all, int index) {
        int start = Math.min(all.size(), index * Checksums.LENGTH);
        return all.substring(start, Math.min(all.size(), start + Checksums.LENGTH));
    }

    private static void add(List<Range> ranges, long offset, long length) {
        if (!ranges.isEmpty() && ranges.getLast().offset() + ranges.getLast().length() == offset) {
            Range last = ranges.removeLast();
            ranges.add(new Range(last.offset(), last.length() + length));
        } else {
            ranges.add(new Range(offset, length));
        }
    }
}
