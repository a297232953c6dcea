package org.beefs.queenbee.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InodeTableTest {
    @ParameterizedTest
    @ValueSource(ints = {16, 1000, 1024, 8192})
    void shouldShowEachOnceHoweverManyAreShownAtATime(int most) {
        for (int size = 0; size < 6000; size += 61) {
            InodeTable<Inode> table = new InodeTable<>();
            LongStream.rangeClosed(1, size).forEach(number -> table.add(new Inode(number)));

            Set<Long> shown = new HashSet<>();
            int from = 0;
            do {
                from = table.forSome(
                        from,
                        most,
                        inode -> assertThat(shown.add(inode.number()))
                                .as("inode %d is shown for the first time", inode.number())
                                .isTrue());
            } while (from != 0);

            assertThat(shown).hasSize(size);
        }
    }

    @Test
    void shouldPutOneInThePlaceOfAnother() {
        InodeTable<Inode> table = new InodeTable<>();
        Inode first = new Inode(7);
        Inode second = new Inode(7);

        assertThat(table.put(first)).isNull();
        assertThat(table.put(second)).isSameAs(first);

        assertThat(table.find(7)).isSameAs(second);
        assertThat(table.size()).isOne();
    }
}
