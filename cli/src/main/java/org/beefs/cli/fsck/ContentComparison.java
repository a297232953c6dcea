package org.beefs.cli.fsck;

import com.google.protobuf.ByteString;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.beefs.common.time.ProductionOnly;
import org.beefs.common.wire.CheckedFile;
import org.beefs.common.wire.ContentVerdict;

/**
 * Compares the content of one version in all honeycombs that have it, window by window, so that no honeycomb is read
 * for long at once.
 */
@ProductionOnly
final class ContentComparison {
    /** As the honeycombs' checksums are made: of blocks of 128 KiB, at most 64 at once. */
    private static final int BLOCKS = 64;

    private static final long WINDOW = BLOCKS * 131_072L;

    private final CheckedFile file;
    private final Map<HoneycombPeer, ContentVerdict> verdicts = new LinkedHashMap<>();

    private ContentComparison(CheckedFile file, List<HoneycombPeer> honeycombs) {
        this.file = file;
        honeycombs.forEach(honeycomb -> verdicts.put(honeycomb, ContentVerdict.CONTENT_FINE));
    }

    /**
     * What is to be said of the replicas of a file; of those that turn out to be another version by now, nothing. Fails
     * with {@link HoneycombFailure}.
     *
     * @param honeycombs that have the file's version, the primary's first
     */
    static Map<HoneycombPeer, ContentVerdict> of(CheckedFile file, List<HoneycombPeer> honeycombs) {
        ContentComparison comparison = new ContentComparison(file, honeycombs);
        for (long offset = 0; offset < file.getSize(); offset += WINDOW) {
            comparison.window(offset);
        }
        return comparison.verdicts;
    }

    private void window(long offset) {
        Map<HoneycombPeer, ByteString> checksums = new LinkedHashMap<>();
        for (HoneycombPeer honeycomb : List.copyOf(verdicts.keySet())) {
            try {
                if (verdicts.get(honeycomb) != ContentVerdict.CONTENT_UNREADABLE) {
                    checksums.put(honeycomb, honeycomb.checksums(file, offset, BLOCKS));
                }
            } catch (HoneycombFailure e) {
                failed(honeycomb, e);
            }
        }
        if (checksums.values().stream().distinct().count() > 1) {
            differ(checksums);
        }
    }

    private void failed(HoneycombPeer honeycomb, HoneycombFailure failure) {
        switch (failure.errno()) {
            case EIO -> verdicts.put(honeycomb, ContentVerdict.CONTENT_UNREADABLE);
            case ESTALE -> verdicts.remove(honeycomb); // it has moved on
            default -> throw failure;
        }
    }

    /** What more than half of them have is right. */
    private void differ(Map<HoneycombPeer, ByteString> checksums) {
        Map<ByteString, Integer> votes = new HashMap<>();
        checksums.values().forEach(checksum -> votes.merge(checksum, 1, Integer::sum));
        boolean decided = Collections.max(votes.values()) * 2 > checksums.size();
        HoneycombPeer first = checksums.keySet().iterator().next();
        checksums.forEach((honeycomb, checksum) -> {
            boolean outvoted = votes.getOrDefault(checksum, 0) * 2 <= checksums.size();
            if (decided && outvoted) {
                verdicts.put(honeycomb, ContentVerdict.CONTENT_ODD);
            } else if (!decided && !honeycomb.equals(first)) {
                verdicts.merge(
                        honeycomb,
                        ContentVerdict.CONTENT_UNDECIDED,
                        (known, other) -> known == ContentVerdict.CONTENT_ODD ? known : other);
            }
        });
    }
}
