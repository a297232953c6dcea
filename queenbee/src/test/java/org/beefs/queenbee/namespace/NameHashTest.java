package org.beefs.queenbee.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names spread over a table, also those that somebody has chosen who does not know the secrets. */
class NameHashTest {
    private static final int SLOTS = 1 << 10;
    private static final int NAMES = 1000;

    private final NameHash known = withSecretsOf(1);
    private final NameHash secret = withSecretsOf(2);

    @Test
    void shouldSpreadNamesThatWereChosenToBeInOneSlot() {
        byte[][] chosen = names("%d.txt")
                .filter(name -> slot(known, name) == 0)
                .limit(NAMES)
                .toArray(byte[][]::new);

        assertThat(usedSlots(known, chosen)).isOne();
        assertThat(usedSlots(secret, chosen)).isGreaterThan(SLOTS / 2);
    }

    /** Random places for as many names as there are slots use 63 % of them. */
    @ParameterizedTest
    @ValueSource(strings = {"%d", "%08d", "Report %d.odt", "%d of many things with a long name", "%x%<x%<x"})
    void shouldSpreadNamesThatCount(String format) {
        assertThat(usedSlots(secret, names(format).limit(SLOTS).toArray(byte[][]::new)))
                .isBetween(SLOTS / 2, SLOTS * 3 / 4);
    }

    @Test
    void shouldSpreadNamesThatDifferInOneByte() {
        for (int length : new int[] {1, 2, 7, 8, 9, 15, 16, 17, 255}) {
            for (int place = 0; place < length; place++) {
                byte[] name = new byte[length];
                int at = place;
                assertThat(IntStream.range(0, 256)
                                .map(value -> {
                                    name[at] = (byte) value;
                                    return secret.of(name);
                                })
                                .distinct())
                        .as("byte %d of %d", place, length)
                        .hasSize(256);
            }
        }
    }

    @Test
    void shouldTellNamesFromLongerOnes() {
        assertThat(IntStream.range(0, 256)
                        .map(length -> secret.of(new byte[length]))
                        .distinct())
                .hasSize(256);
    }

    @Test
    void shouldHaveOtherSecretsEachTime() {
        assertThat(NameHash.secret()).isNotEqualTo(NameHash.secret());
    }

    private static NameHash withSecretsOf(long seed) {
        Random random = new Random(seed);
        return new NameHash(random.nextLong(), random.nextLong() | 1);
    }

    private static Stream<byte[]> names(String format) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> format.formatted(i).getBytes(StandardCharsets.UTF_8));
    }

    private static int usedSlots(NameHash hash, byte[]... names) {
        return (int)
                Stream.of(names).mapToInt(name -> slot(hash, name)).distinct().count();
    }

    private static int slot(NameHash hash, byte[] name) {
        return hash.of(name) & (SLOTS - 1);
    }
}
