package org.beefs.simulator.model;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.beefs.common.posix.FileMode;
import org.beefs.common.posix.Timestamps;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Timestamp;
import org.beefs.simulator.world.SimHost;
import org.jspecify.annotations.Nullable;

/** What a successful step must show. */
public interface Expected {
    /** Shown of a step of which there is nothing to see. */
    Object UNSEEN = "unseen";

    /** Whether that is what was seen; inode numbers seen for the first time are learned into the state. */
    boolean matches(ModelState state, Object seen);

    /** Nothing to look at. */
    record Nothing() implements Expected {
        @Override
        public boolean matches(ModelState state, Object seen) {
            return true;
        }
    }

    /** A value that is equal. */
    record Same(Object value) implements Expected {
        @Override
        public boolean matches(ModelState state, Object seen) {
            return value.equals(seen);
        }
    }

    /**
     * Bytes that begin so, however many; nothing at all begins in any way. Behind the content lies what a kernel fills
     * its pages with, for whoever has learnt a moment before that the file were longer.
     */
    record Beginning(ByteString content) implements Expected {
        @Override
        public boolean matches(ModelState state, Object seen) {
            if (!(seen instanceof ByteString bytes)) {
                return false;
            }
            int common = Math.min(bytes.size(), content.size());
            return content.startsWith(bytes.substring(0, common)) && isZero(bytes.substring(common));
        }

        private static boolean isZero(ByteString bytes) {
            return bytes.equals(ByteString.copyFrom(new byte[bytes.size()]));
        }

        @Override
        public String toString() {
            return "Beginning[%d bytes, hash %08x]".formatted(content.size(), content.hashCode());
        }
    }

    /** One that says which node it is about, for the steps that follow. */
    interface OfNode extends Expected {
        long node();
    }

    /** A node, of which nothing but the inode number is seen. */
    record Named(long node) implements OfNode {
        @Override
        public boolean matches(ModelState state, Object seen) {
            return switch (seen) {
                case Long inode -> state.bind(node, inode);
                case Attributes attributes -> state.bind(node, attributes.getInode());
                default -> seen.equals(UNSEEN);
            };
        }
    }

    /** Attributes that the queen-bee keeps for every inode; or nothing but the number may be seen of them. */
    record Inode(long node, int mode, int links, int uid, int gid, int targetLength) implements OfNode {
        static Inode of(long number, ModelNode node) {
            int targetLength = node.isSymbolicLink() ? node.content.size() : -1;
            return new Inode(number, node.mode, node.links, node.uid, node.gid, targetLength);
        }

        @Override
        public boolean matches(ModelState state, Object seen) {
            return seen instanceof Attributes attributes
                    ? matches(state, attributes)
                    : new Named(node).matches(state, seen);
        }

        private boolean matches(ModelState state, Attributes attributes) {
            return state.bind(node, attributes.getInode())
                    && attributes.getMode() == mode
                    && attributes.getLinks() == links
                    && attributes.getUid() == uid
                    && attributes.getGid() == gid
                    && (targetLength < 0 || attributes.getSize() == targetLength);
        }
    }

    /** Attributes that follow the content: a regular file's size, and times that somebody has set. */
    record Content(
            long size, @Nullable Instant atime, @Nullable Instant mtime) implements Expected {
        private static final Duration LONGEST_RUN = Duration.ofDays(1);

        static Expected of(ModelNode node) {
            return new Content(FileMode.isRegular(node.mode) ? node.content.size() : -1, node.atime, node.mtime);
        }

        @Override
        public boolean matches(ModelState state, Object seen) {
            return seen instanceof Attributes attributes
                    && (size < 0 || attributes.getSize() == size)
                    && (matches(atime, attributes.getAtime()) || wasRead(attributes))
                    && matches(mtime, attributes.getMtime());
        }

        /** Whether its atime is of this run, so that a read may have followed. */
        private static boolean wasRead(Attributes attributes) {
            return Duration.between(Timestamps.toInstant(attributes.getAtime()), SimHost.EPOCH)
                            .abs()
                            .compareTo(LONGEST_RUN)
                    < 0;
        }

        private static boolean matches(@Nullable Instant expected, Timestamp seen) {
            return expected == null || expected.equals(Timestamps.toInstant(seen));
        }
    }

    /** Names of a directory and what they name; beside them maybe what has appeared there and is not known yet. */
    record Entries(Map<ByteString, Long> nodes) implements Expected {
        @Override
        public boolean matches(ModelState state, Object seen) {
            return seen instanceof Map<?, ?> inodes
                    && inodes.keySet().stream().allMatch(name -> nodes.containsKey(name) || hasAppeared(name))
                    && nodes.entrySet().stream()
                            .allMatch(entry -> inodes.get(entry.getKey()) instanceof Long inode
                                    && state.bind(entry.getValue(), inode));
        }

        private static boolean hasAppeared(Object name) {
            return name instanceof ByteString bytes && Appeared.isNameOfOne(bytes);
        }
    }
}
