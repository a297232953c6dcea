package org.beefs.common.rpc.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Vectors are those of the reference implementation; the one of 15 bytes is in the paper, appendix A. */
class SipHashTest {
    private final SipHash hash = new SipHash(counting(SipHash.KEY_BYTES));

    @ParameterizedTest
    @CsvSource({
        "8, 93f5f5799a932462",
        "9, 9e0082df0ba9e4b0",
        "10, 7a5dbbc594ddb9f3",
        "11, f4b32f46226bada7",
        "12, 751e8fbc860ee5fb",
        "13, 14ea5627c0843d90",
        "14, f723ca908e7af2ee",
        "15, a129ca6149be45e5",
        "16, 3f2acc7f57c29bdb",
        "17, 699ae9f52cbe4794",
        "63, 958a324ceb064572"
    })
    void shouldHashAsItsAuthorsDo(int length, String expected) {
        ByteBuffer message = ByteBuffer.wrap(counting(length)).order(ByteOrder.LITTLE_ENDIAN);

        assertThat(hash.hash(message.getLong(), message)).isEqualTo(Long.parseUnsignedLong(expected, 16));
    }

    private static byte[] counting(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) i;
        }
        return bytes;
    }
}
