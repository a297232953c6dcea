package org.beefs.honeybee.fuse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.beefs.common.linux.Libc;
import org.beefs.honeybee.fuse.exchange.BufferPool;
import org.beefs.honeybee.fuse.exchange.Device;
import org.beefs.honeybee.fuse.protocol.Protocol;
import org.beefs.honeybee.mount.MountOptions;
import org.beefs.honeybee.mount.Opcode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With a file in place of the device: the request is what it holds, the answer is added behind. */
class NegotiationTest {
    private static final int REQUEST = 40 + 64;
    private static final long ALL = -1L;

    @TempDir
    Path folder;

    @Test
    void shouldAgreeOnWhatBothKnow() throws IOException {
        ByteBuffer answer = negotiate(7, 99, ALL);

        assertThat(answer.getInt(0)).isEqualTo(80);
        assertThat(answer.getInt(4)).isZero();
        assertThat(answer.getLong(8)).isEqualTo(2);
        assertThat(answer.getInt(16)).isEqualTo(7);
        assertThat(answer.getInt(20)).isEqualTo(45);
        assertThat(answer.getInt(24)).isEqualTo(131072);
        long flags = Integer.toUnsignedLong(answer.getInt(28)) | ((long) answer.getInt(48) << 32);
        assertThat(flags & Protocol.INIT_DIRECT_IO_ALLOW_MMAP).isNotZero();
        assertThat(flags & (1L << 16)).as("write-back cache").isZero();
        assertThat(answer.getShort(32)).isEqualTo((short) 64);
        assertThat(answer.getShort(34)).isEqualTo((short) 48);
        assertThat(answer.getInt(36)).isEqualTo(1 << 20);
        assertThat(answer.getInt(40)).isEqualTo(1);
        assertThat(answer.getShort(44)).isEqualTo((short) 256);
        assertThat(answer.getInt(52)).as("stacked file systems below").isEqualTo(1);
    }

    @Test
    void shouldTakeNoMoreThanTheKernelOffers() throws IOException {
        ByteBuffer answer = negotiate(7, 31, Protocol.INIT_ATOMIC_O_TRUNC | Protocol.INIT_MAX_PAGES);

        assertThat(answer.getInt(20)).isEqualTo(31);
        assertThat(answer.getInt(28)).isEqualTo((int) (Protocol.INIT_ATOMIC_O_TRUNC | Protocol.INIT_MAX_PAGES));
        assertThat(answer.getInt(48)).isZero();
        assertThat(answer.getInt(52)).isZero();
    }

    @Test
    void shouldRefuseKernelsThatAreTooOld() {
        assertThatThrownBy(() -> negotiate(7, 30, ALL))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("older");
        assertThatThrownBy(() -> negotiate(7, 40, 0))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("lacks");
    }

    private ByteBuffer negotiate(int major, int minor, long flags) throws IOException {
        ByteBuffer request = ByteBuffer.allocate(REQUEST).order(ByteOrder.LITTLE_ENDIAN);
        request.putInt(0, REQUEST).putInt(4, Opcode.INIT.number()).putLong(8, 2);
        request.putInt(40, major).putInt(44, minor).putInt(48, 131072);
        request.putInt(52, (int) flags).putInt(56, (int) (flags >>> 32));
        Path file = Files.write(folder.resolve("device"), request.array());
        BufferPool pool = new BufferPool(1);
        try (Arena arena = Arena.ofConfined()) {
            Device device = new Device(Libc.open(arena.allocateFrom(file.toString()), 2, 0));
            new Negotiation(device, MountOptions.DEFAULTS, true, false, Objects.requireNonNull(pool.takeNow())).run();
            device.release();
        }
        byte[] both = Files.readAllBytes(file);
        return ByteBuffer.wrap(both, REQUEST, both.length - REQUEST).slice().order(ByteOrder.LITTLE_ENDIAN);
    }
}
