package org.beefs.honeybee.filesystem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.junit.jupiter.api.Test;

class OpenListingsTest {
    private final OpenListings listings = new OpenListings();

    @Test
    void shouldRefuseMoreThanSoManyUntilOneIsClosed() {
        long first = listings.open(1);
        for (int open = 1; open < OpenListings.MOST; open++) {
            listings.open(1);
        }

        assertThatExceptionOfType(PosixException.class)
                .isThrownBy(() -> listings.open(2))
                .satisfies(refusal -> assertThat(refusal.errno()).isEqualTo(Errno.ENFILE));

        listings.close(first);
        assertThat(listings.get(listings.open(2)).inode()).isEqualTo(2);
    }
}
