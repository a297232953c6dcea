package org.beefs.honeybee.cache;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.util.List;
import java.util.stream.Stream;
import org.beefs.common.wire.Layout;
import org.beefs.common.wire.NewInodes;
import org.junit.jupiter.api.Test;

class InodeSupplyTest {
    private static final Layout LAYOUT = Layout.newBuilder()
            .setEpoch(3)
            .setHoneycomb(ByteString.copyFromUtf8("a honeycomb"))
            .build();

    private final InodeSupply supply = new InodeSupply();

    @Test
    void shouldHaveNothingAtFirst() {
        assertThat(supply.left()).isZero();
        assertThat(supply.number()).isZero();
        assertThat(supply.place(1 << 20)).isNull();
    }

    @Test
    void shouldUseUpWhatIsLeftBeforeWhatComesLater() {
        supply.take(numbers(10, 2));
        assertThat(supply.number()).isEqualTo(10);

        supply.take(numbers(50, 2));

        assertThat(supply.left()).isEqualTo(3);
        assertThat(take(4)).containsExactly(11L, 50L, 51L, 0L);
        assertThat(supply.left()).isZero();
    }

    @Test
    void shouldGoOnAfterItHadNone() {
        supply.take(numbers(10, 1));
        take(2);

        supply.take(numbers(50, 1));
        supply.take(numbers(70, 1));

        assertThat(take(3)).containsExactly(50L, 70L, 0L);
    }

    @Test
    void shouldNeverHaveANumberTwiceWhenMoreComesThanItKeeps() {
        supply.take(numbers(10, 2));
        supply.take(numbers(50, 2));
        supply.take(numbers(70, 2));

        assertThat(take(5)).containsExactly(10L, 11L, 70L, 71L, 0L);
    }

    @Test
    void shouldKeepNumbersWhenOnlyTheQueenBeeKnowsWhereFilesGo() {
        supply.take(numbers(10, 2));

        supply.take(NewInodes.getDefaultInstance());

        assertThat(supply.place(1 << 20)).isNull();
        assertThat(supply.number()).isEqualTo(10);
    }

    @Test
    void shouldPlaceFilesHereOnlyWhileThereIsRoom() {
        supply.take(numbers(10, 2).toBuilder().setRoom(1000).build());

        assertThat(supply.place(1000)).isEqualTo(new InodeSupply.Place(LAYOUT, false));
        assertThat(supply.place(999)).isNull();
    }

    @Test
    void shouldTellWhatIsHereFromWhatIsElsewhere() {
        supply.take(numbers(10, 2).toBuilder().setElsewhere(true).build());

        assertThat(supply.place(0)).isEqualTo(new InodeSupply.Place(LAYOUT, true));
    }

    private List<Long> take(int number) {
        return Stream.generate(supply::number).limit(number).toList();
    }

    private static NewInodes numbers(long first, int count) {
        return NewInodes.newBuilder()
                .setFirst(first)
                .setCount(count)
                .setLayout(LAYOUT)
                .build();
    }
}
