package org.beefs.simulator;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.beefs.simulator.hive.SimDesktop;
import org.jspecify.annotations.Nullable;

/**
 * What may be in a file, byte by byte: what was written last, and, where nobody has been told that it is safe, what was
 * there before. Operations on it do not overlap.
 */
final class PromisedContent {
    /** How much may be believed of a write, from least to most. */
    private enum Belief {
        /** It may be in the file or not: it has failed, or the end of its desktop's daemon has taken it along. */
        DOUBTFUL,
        /** Everybody sees it for as long as nothing goes wrong. */
        VISIBLE,
        /** fsync or close has said that it survives. */
        SAFE
    }

    private static final class Write {
        private final @Nullable SimDesktop desktop;
        private final int offset;
        private final ByteString data;
        private Belief belief;

        private Write(@Nullable SimDesktop desktop, int offset, ByteString data, Belief belief) {
            this.desktop = desktop;
            this.offset = offset;
            this.data = data;
            this.belief = belief;
        }

        private int end() {
            return offset + data.size();
        }

        private boolean covers(int at) {
            return at >= offset && at < end();
        }
    }

    private final List<Write> writes = new ArrayList<>();

    void wrote(SimDesktop desktop, int offset, ByteString data) {
        writes.add(new Write(desktop, offset, data, Belief.VISIBLE));
    }

    /** Somebody was told that all which everybody sees is safe. */
    void acknowledged() {
        raise(writes);
    }

    /** Somebody was told so who speaks for what was written on one desktop only. */
    void acknowledged(SimDesktop desktop) {
        raise(writes.stream().filter(write -> write.desktop == desktop).toList());
    }

    private static void raise(List<Write> acknowledged) {
        acknowledged.stream()
                .filter(write -> write.belief == Belief.VISIBLE)
                .forEach(write -> write.belief = Belief.SAFE);
    }

    /**
     * What was written on a desktop, and not known to be safe, has perhaps gone: a daemon has ended, or a program was
     * told that something has failed, once, and if it was a write, perhaps not that one but one before it.
     */
    void disturbed(SimDesktop desktop) {
        writes.stream()
                .filter(write -> write.desktop == desktop && write.belief == Belief.VISIBLE)
                .forEach(write -> write.belief = Belief.DOUBTFUL);
    }

    /** The file was seen like that when nothing could go wrong any more. */
    void seen(ByteString content) {
        writes.clear();
        if (!content.isEmpty()) {
            writes.add(new Write(null, 0, content, Belief.SAFE));
        }
    }

    boolean isSafe() {
        return writes.stream().anyMatch(write -> write.belief == Belief.SAFE);
    }

    /** What is wrong with what somebody reads, at any time; null if nothing is. */
    @Nullable
    String contradiction(ByteString read) {
        int least = end(Belief.SAFE);
        int most = end(Belief.DOUBTFUL);
        if (read.size() < least || read.size() > most) {
            return "it has %d bytes, not %d to %d".formatted(read.size(), least, most);
        }
        for (int at = 0; at < read.size(); at++) {
            if (!possible(at).contains(read.byteAt(at))) {
                return "nobody has written byte %d as it is, or something else is safe there".formatted(at);
            }
        }
        return null;
    }

    private int end(Belief least) {
        return writes.stream()
                .filter(write -> write.belief.compareTo(least) >= 0)
                .mapToInt(Write::end)
                .max()
                .orElse(0);
    }

    private Set<Byte> possible(int at) {
        Set<Byte> possible = new HashSet<>();
        for (Write write : writes.reversed()) {
            if (write.covers(at)) {
                possible.add(write.data.byteAt(at - write.offset));
                if (write.belief == Belief.SAFE) {
                    return possible;
                }
            }
        }
        possible.add((byte) 0);
        return possible;
    }
}
