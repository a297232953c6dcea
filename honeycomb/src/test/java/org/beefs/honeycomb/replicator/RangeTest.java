package org.beefs.honeycomb.replicator;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.util.List;
import org.beefs.honeycomb.store.content.Checksums;
import org.junit.jupiter.api.Test;

class RangeTest {
    private static final long BLOCK = Checksums.BLOCK;

    @Test
    void shouldFindNothingWhereAllIsTheSame() {
        assertThat(Range.different(sums("abc"), sums("abc"), 0, 3 * BLOCK)).isEmpty();
    }

    @Test
    void shouldJoinNeighbours() {
        assertThat(Range.different(sums("abcd"), sums("axxd"), 8 * BLOCK, 4 * BLOCK))
                .isEqualTo(List.of(new Range(9 * BLOCK, 2 * BLOCK)));
    }

    @Test
    void shouldKeepOthersApart() {
        assertThat(Range.different(sums("abcd"), sums("xbcx"), 0, 3 * BLOCK + 7))
                .isEqualTo(List.of(new Range(0, BLOCK), new Range(3 * BLOCK, 7)));
    }

    @Test
    void shouldTakeWhatOnlyOneSideHasForDifferent() {
        assertThat(Range.different(sums("ab"), sums("a"), 0, 2 * BLOCK)).isEqualTo(List.of(new Range(BLOCK, BLOCK)));
        assertThat(Range.different(ByteString.EMPTY, ByteString.EMPTY, 0, BLOCK))
                .isEqualTo(List.of(new Range(0, BLOCK)));
    }

    /** A checksum for each letter. */
    private static ByteString sums(String blocks) {
        return blocks.chars()
                .mapToObj(letter ->
                        ByteString.copyFromUtf8(Character.toString(letter).repeat(Checksums.LENGTH)))
                .reduce(ByteString.EMPTY, ByteString::concat);
    }
}
