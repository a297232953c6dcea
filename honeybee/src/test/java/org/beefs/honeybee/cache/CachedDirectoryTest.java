package org.beefs.honeybee.cache;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.util.Objects;
import org.beefs.common.posix.FileMode;
import org.junit.jupiter.api.Test;

/** What a directory keeps of names that have gone, which no bound of the cache counts. */
class CachedDirectoryTest {
    private final CachedDirectory directory = CachedDirectory.empty(1);

    @Test
    void shouldKeepLittleOfWhatIsMadeAndRemovedAgainAndAgain() {
        make(1);
        for (long file = 2; file < 1000; file++) {
            make(file);
            remove(file);
        }
        make(1000);

        assertThat(directory.page(listing(), 0, 10))
                .extracting(CachedEntry::inode)
                .containsExactly(1L, 1000L);
        assertThat(listing().size()).isLessThanOrEqualTo(2 * directory.size());
    }

    @Test
    void shouldKeepLittleOfALargeDirectoryThatIsEmptied() {
        for (long file = 1; file <= 1000; file++) {
            make(file);
        }
        for (long file = 1; file < 1000; file++) {
            remove(file);
        }

        assertThat(directory.page(listing(), 0, 10))
                .extracting(CachedEntry::inode)
                .containsExactly(1000L);
        assertThat(listing().size()).isLessThanOrEqualTo(2 * directory.size());
    }

    @Test
    void shouldKeepLittleOfNamesThatAreReplacedAgainAndAgain() {
        for (long file = 1; file <= 1000; file++) {
            directory.setUnplaced(name(1), entry(file).at(0));
            directory.place(name(1), file, file);
        }

        assertThat(directory.page(listing(), 0, 10))
                .extracting(CachedEntry::inode)
                .containsExactly(1000L);
        assertThat(listing().size()).isLessThanOrEqualTo(2 * directory.size());
    }

    private CachedListing listing() {
        return Objects.requireNonNull(directory.listing());
    }

    /** Its number is the place in listings, too. */
    private void make(long file) {
        directory.set(name(file), entry(file));
    }

    private void remove(long file) {
        directory.set(name(file), CachedEntry.absent(name(file)));
    }

    private static CachedEntry entry(long file) {
        return new CachedEntry(name(file), file, FileMode.REGULAR, file);
    }

    private static ByteString name(long file) {
        return ByteString.copyFromUtf8("f" + file);
    }
}
