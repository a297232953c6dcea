package org.beefs.honeybee.cache;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Names of one hash code are still told apart, and ordered for the maps that they are keys of. */
class NameKeyTest {
    @Test
    void shouldOrderNamesOfOneHashCode() {
        List<NameKey> names = names(3);

        assertThat(names)
                .extracting(NameKey::hashCode)
                .containsOnly(names.getFirst().hashCode());
        assertThat(names).isSorted().doesNotHaveDuplicates();
        assertThat(names.getFirst()).isLessThan(names.getLast()).isEqualByComparingTo(names(3).getFirst());
    }

    @Test
    void shouldOrderNamesInDirectoriesOfOneHashCode() {
        assertThat(names(3).stream().map(name -> new EntryKey(1, name.bytes())))
                .isSorted()
                .doesNotHaveDuplicates();
        assertThat(new EntryKey(1, name("b"))).isLessThan(new EntryKey(2, name("a")));
    }

    @Test
    void shouldFindEachOfThousandsOfNamesOfOneHashCode() {
        Map<NameKey, Integer> found = new HashMap<>();
        List<NameKey> names = names(14);
        for (NameKey name : names) {
            found.put(name, found.size());
        }

        for (NameKey name : names(14)) {
            assertThat(names.get(found.getOrDefault(name, -1))).isEqualTo(name);
        }
        assertThat(found).doesNotContainKey(new NameKey(name("other")));
    }

    /** 2^pairs names, in order: "Aa" and "BB" have the same hash code. */
    private static List<NameKey> names(int pairs) {
        List<String> names = new ArrayList<>(List.of(""));
        for (int i = 0; i < pairs; i++) {
            names = names.stream()
                    .flatMap(name -> List.of(name + "Aa", name + "BB").stream())
                    .toList();
        }
        return names.stream().map(name -> new NameKey(name(name))).toList();
    }

    private static ByteString name(String name) {
        return ByteString.copyFromUtf8(name);
    }
}
