package org.beefs.honeybee.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.Layout;
import org.beefs.honeybee.fake.FakeHive;
import org.beefs.honeybee.fake.FakeLocalReplicas;
import org.junit.jupiter.api.Test;

class HoneycombsTest {
    private static final ByteString HERE = ByteString.copyFromUtf8("this honeycomb's");

    private final FakeLocalReplicas local = new FakeLocalReplicas();
    private final FakeHive hive = new FakeHive(FakeHive.CONFIG, null, new LocalReplicas(HERE, local));
    private final Layout here = Layout.newBuilder().setHoneycomb(HERE).build();

    @Test
    void shouldBringWhatIsHeldBackToThisDesktopOnlyAsLongAsItMayBeWritten() {
        assertThatThrownBy(() -> hive.honeycombs.bypassingWriteBehind(here, () -> true))
                .isInstanceOfSatisfying(
                        PosixException.class,
                        failure -> assertThat(failure.errno()).isEqualTo(Errno.EAGAIN));
        hive.get(hive.session.start());
        assertThat(hive.honeycombs.bypassingWriteBehind(here, () -> true)).isSameAs(local);
        assertThatThrownBy(() -> hive.honeycombs.bypassingWriteBehind(here, () -> false))
                .isInstanceOfSatisfying(
                        PosixException.class,
                        failure -> assertThat(failure.errno()).isEqualTo(Errno.EIO));
    }
}
