package org.beefs.queenbee.operations;

import static org.assertj.core.api.Assertions.assertThat;

import org.beefs.common.posix.FileMode;
import org.beefs.common.wire.Access;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.RecordAccesses;
import org.beefs.common.wire.SetAttributes;
import org.beefs.common.wire.Timestamp;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;

/** Times of reads, which desktops tell later. */
class RecordAccessesTest {
    private static final Timestamp READ =
            Timestamp.newBuilder().setSeconds(4711).build();
    private static final Timestamp SET = Timestamp.newBuilder().setSeconds(5).build();

    private final TestDesktop desktop = new TestDesktop(new TestHive(), "desk").registered();
    private final long file = desktop.ok(Ask.mknod(Namespace.ROOT, "file", FileMode.REGULAR | 0644))
            .getNode()
            .getAttributes()
            .getInode();

    @Test
    void shouldChangeNothingButTheTimeOfAccess() {
        Attributes before = attributes();
        desktop.ok(read(before.getAtime()));
        assertThat(attributes()).isEqualTo(before.toBuilder().setAtime(READ).build());
    }

    @Test
    void shouldLeaveATimeThatWasSetAfterTheRead() {
        Timestamp seen = attributes().getAtime();
        desktop.ok(Ask.change(
                SetAttributes.newBuilder().setInode(file).setAtime(SET).setHandle(desktop.newHandle())));
        desktop.ok(read(seen));
        assertThat(attributes().getAtime()).isEqualTo(SET);
    }

    @Test
    void shouldPassOverWhatIsGone() {
        Timestamp seen = attributes().getAtime();
        desktop.ok(Ask.unlink(Namespace.ROOT, "file"));
        desktop.ok(read(seen));
    }

    private QueenRequest.Builder read(Timestamp seen) {
        return QueenRequest.newBuilder()
                .setRecordAccesses(RecordAccesses.newBuilder()
                        .addAccesses(
                                Access.newBuilder().setInode(file).setTime(READ).setSeen(seen)));
    }

    private Attributes attributes() {
        return desktop.ok(Ask.attributes(file)).getNode().getAttributes();
    }
}
