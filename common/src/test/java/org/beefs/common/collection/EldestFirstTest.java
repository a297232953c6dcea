package org.beefs.common.collection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SequencedMap;
import java.util.SequencedSet;
import org.junit.jupiter.api.Test;

class EldestFirstTest {
    private final SequencedMap<String, Integer> map = EldestFirst.map(2);
    private final SequencedSet<String> set = EldestFirst.set(2);

    @Test
    void shouldForgetWhatCameFirstWhenThereIsMoreThanItsBound() {
        map.put("a", 1);
        map.put("b", 2);
        map.put("c", 3);
        assertThat(map.keySet()).containsExactly("b", "c");
    }

    @Test
    void shouldForgetNothingForWhatIsThereAlready() {
        map.put("a", 1);
        map.put("b", 2);
        map.put("a", 3);
        assertThat(map.keySet()).containsExactly("a", "b");
        assertThat(map).containsEntry("a", 3);
    }

    @Test
    void shouldCountWhatIsPutLastAsNew() {
        map.putLast("a", 1);
        map.putLast("b", 2);
        map.putLast("a", 3);
        map.putLast("c", 4);
        assertThat(map.keySet()).containsExactly("a", "c");
    }

    @Test
    void shouldBoundSetsInTheSameWay() {
        set.add("a");
        set.add("b");
        set.add("a");
        set.add("c");
        assertThat(set).containsExactly("b", "c");
    }
}
