package org.beefs.honeybee.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.beefs.common.wire.Capability;
import org.beefs.common.wire.Layout;
import org.beefs.common.wire.NewInodes;
import org.junit.jupiter.api.Test;

class InodeSupplyTest {
    private final InodeSupply supply = new InodeSupply();

    @Test
    void shouldHaveNothingAtFirst() {
        assertThat(supply.left()).isZero();
        assertThat(supply.number()).isZero();
        assertThat(supply.makesFiles(1 << 20)).isFalse();
        assertThat(supply.layout(5, 1)).isNull();
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
    void shouldKeepNumbersWhenFilesGoElsewhere() {
        supply.take(numbers(10, 2));

        supply.take(NewInodes.getDefaultInstance());

        assertThat(supply.makesFiles(1 << 20)).isFalse();
        assertThat(supply.number()).isEqualTo(10);
    }

    @Test
    void shouldGiveTheRightToUseAFile() throws Exception {
        supply.take(numbers(10, 2));

        Layout layout = Objects.requireNonNull(supply.layout(11, 7));

        assertThat(layout.getInode()).isEqualTo(11);
        assertThat(layout.getEpoch()).isEqualTo(3);
        assertThat(Capability.parseFrom(layout.getCapability()))
                .isEqualTo(Capability.newBuilder()
                        .setSession(7)
                        .setInode(11)
                        .setEpoch(3)
                        .setRead(true)
                        .setWrite(true)
                        .build());
    }

    private List<Long> take(int number) {
        return Stream.generate(supply::number).limit(number).toList();
    }

    private static NewInodes numbers(long first, int count) {
        return NewInodes.newBuilder()
                .setFirst(first)
                .setCount(count)
                .setLayout(Layout.newBuilder().setEpoch(3))
                .build();
    }
}
