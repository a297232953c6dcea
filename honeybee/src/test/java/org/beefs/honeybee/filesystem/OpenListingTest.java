package org.beefs.honeybee.filesystem;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.util.List;
import java.util.stream.LongStream;
import org.beefs.common.posix.FileMode;
import org.beefs.honeybee.filesystem.FileSystem.Listing;
import org.junit.jupiter.api.Test;

class OpenListingTest {
    private final OpenListing listing = new OpenListing(1);

    @Test
    void shouldEndWhereTheDirectoryEndedWhenItBegan() {
        assertThat(told(0, page(false, 6, 3, 4))).containsExactly(3L, 4L);

        Listing last = listing.told(4, page(false, 9, 5, 6, 8));

        assertThat(cookies(last)).containsExactly(5L);
        assertThat(last.end()).isTrue();
    }

    @Test
    void shouldBeginAnewWithWhatWasMadeSince() {
        listing.told(0, page(true, 6, 3, 5));

        assertThat(told(0, page(true, 9, 3, 8))).containsExactly(3L, 8L);
    }

    @Test
    void shouldEndWhereTheDirectoryEndsWhenThatIsFirstKnown() {
        assertThat(told(0, page(false, 0, 3, 4))).containsExactly(3L, 4L);
        assertThat(told(4, page(false, 7, 5, 6))).containsExactly(5L, 6L);

        assertThat(told(6, page(true, 9, 7, 8))).isEmpty();
    }

    private List<Long> told(long after, Listing page) {
        return cookies(listing.told(after, page));
    }

    private static List<Long> cookies(Listing page) {
        return page.entries().stream().map(Entry::cookie).toList();
    }

    private static Listing page(boolean end, long nextCookie, long... cookies) {
        List<Entry> entries = LongStream.of(cookies)
                .mapToObj(cookie -> new Entry(ByteString.EMPTY, cookie, FileMode.REGULAR, cookie, null))
                .toList();
        return new Listing(entries, end, 1, nextCookie);
    }
}
