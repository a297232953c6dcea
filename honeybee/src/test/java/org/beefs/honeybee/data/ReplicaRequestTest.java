package org.beefs.honeybee.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.beefs.common.posix.PosixException;
import org.beefs.common.rpc.Outgoing;
import org.beefs.common.rpc.RequestWindow;
import org.beefs.common.wire.DataRequest;
import org.junit.jupiter.api.Test;

class ReplicaRequestTest {
    private final RequestWindow window = new RequestWindow(1);
    private final ByteBuf content = Unpooled.copiedBuffer(new byte[] {1, 2, 3});
    private HoneycombProcess process = new HoneycombProcess(1, 0);
    private final ReplicaRequest request = new ReplicaRequest(
            DataRequest.getDefaultInstance(),
            ReplicaRequest.Kind.REPEATABLE,
            content,
            () -> HoneycombProcess.UNKNOWN,
            () -> true,
            Leave.ALWAYS);

    @Test
    void shouldTakeNoNumberAndNoContentOnceItHasEnded() {
        request.end();

        assertThatThrownBy(() -> request.attempt(() -> window)).isInstanceOf(PosixException.class);

        assertThat(window.begin()).isEqualTo(1);
        assertThat(content.refCnt()).isEqualTo(1);
    }

    @Test
    void shouldMakeAnAppendElsewhereWhenItWasCertainlyNotMade() {
        ReplicaRequest append = append();
        append.attempt(() -> window).untaken().run();
        process = new HoneycombProcess(2, 0);

        Outgoing again = append.attempt(() -> window);

        assertThat(((DataRequest) again.message()).getSequence()).isEqualTo(1);
    }

    /** The attempt before was not answered. */
    @Test
    void shouldMakeNoAppendElsewhereWhenOnlyTheLastAttemptWasCertainlyNotMade() {
        ReplicaRequest append = append();
        append.attempt(() -> window);
        append.attempt(() -> window).untaken().run();
        process = new HoneycombProcess(2, 0);

        assertThatThrownBy(() -> append.attempt(() -> window))
                .isInstanceOf(PosixException.class)
                .hasMessageContaining("whether it was made is not known");
    }

    private ReplicaRequest append() {
        return new ReplicaRequest(
                DataRequest.getDefaultInstance(),
                ReplicaRequest.Kind.ONCE,
                Unpooled.EMPTY_BUFFER,
                () -> process,
                () -> true,
                Leave.ALWAYS);
    }

    @Test
    void shouldGiveItsNumberBackWhenItEnds() {
        request.attempt(() -> window).payload().close();
        assertThat(window.acknowledged()).isEqualTo(1);

        request.end();

        assertThat(window.acknowledged()).isEqualTo(2);
    }
}
