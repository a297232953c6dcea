package org.beefs.common.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteSizeTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "512, 512",
        "12B, 12",
        "64k, 65536",
        "1.5G, 1610612736",
        "2TiB, 2199023255552",
        " 3 MB , 3145728"
    })
    void shouldUnderstandWhatPeopleWrite(String text, long bytes) {
        assertThat(ByteSize.parse(text)).isEqualTo(new ByteSize(bytes));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "G", "-1", "1,5G", "10 apples", "1e3"})
    void shouldShowTheRightFormInsteadOfAnythingElse(String text) {
        assertThatThrownBy(() -> ByteSize.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'" + text + "' is not a size; write for example 500M, 1.5G or 2T");
    }

    @Test
    void shouldRejectMoreThanANumberHolds() {
        assertThatThrownBy(() -> ByteSize.parse("9E")).hasMessage("'9E' is more than any disk holds");
    }

    /** Some file systems let a file be 8 EiB long, and there may be several. */
    @Test
    void shouldAddUpAsFarAsANumberGoes() {
        assertThat(ByteSize.sum(1, 2)).isEqualTo(3);
        assertThat(ByteSize.sum(5L << 60, 5L << 60)).isEqualTo(Long.MAX_VALUE);
        assertThat(ByteSize.sum(Long.MAX_VALUE, Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
        assertThat(ByteSize.sum(Long.MAX_VALUE, 0)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldMultiplyAsFarAsANumberGoes() {
        assertThat(ByteSize.times(5, 3)).isEqualTo(15);
        assertThat(ByteSize.times(5, 0)).isZero();
        assertThat(ByteSize.times(5L << 60, 2)).isEqualTo(Long.MAX_VALUE);
        assertThat(ByteSize.times(5L << 60, 4)).isEqualTo(Long.MAX_VALUE);
        assertThat(ByteSize.times(Long.MAX_VALUE, 1)).isEqualTo(Long.MAX_VALUE);
    }

    @ParameterizedTest
    @CsvSource({"0, 0 B", "1023, 1023 B", "1024, 1.0 KiB", "1610612736, 1.5 GiB"})
    void shouldBeReadable(long bytes, String text) {
        assertThat(new ByteSize(bytes)).hasToString(text);
    }
}
