package org.beefs.queenbee.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import org.beefs.queenbee.namespace.Touched.Entry;
import org.junit.jupiter.api.Test;

class TouchedEntryTest {
    @Test
    void shouldHaveAnOrderAmongNamesOfOneHashCode() {
        Entry first = entry(1, "Aa");
        Entry second = entry(1, "BB");

        assertThat(first).hasSameHashCodeAs(second).isLessThan(second).isEqualByComparingTo(entry(1, "Aa"));
        assertThat(second).isGreaterThan(first).isLessThan(entry(2, "Aa"));
    }

    private static Entry entry(long directory, String name) {
        return new Entry(directory, ByteString.copyFromUtf8(name));
    }
}
