package org.beefs.honeycomb.replicator;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import org.beefs.common.wire.Timestamp;
import org.beefs.honeycomb.state.ReplicaId;
import org.junit.jupiter.api.Test;

/** What is remembered of files that were copied in part. */
class ProgressTest {
    private static final ByteString SOURCE = ByteString.copyFromUtf8("source");
    private static final Timestamp CTIME = Timestamp.newBuilder().setSeconds(7).build();
    private static final int FILES = 65_536;

    private final Progress progress = new Progress();

    @Test
    void shouldRememberHowFarManyFilesHaveComeThatTakeTurns() {
        for (int inode = 1; inode <= FILES; inode++) {
            progress.put(new ReplicaId(inode, 0), new Progress.Reached(SOURCE, CTIME, inode, false));
        }

        for (int inode = 1; inode <= FILES; inode++) {
            assertThat(progress.take(new ReplicaId(inode, 0), SOURCE, CTIME)).isEqualTo(inode);
        }
    }

    @Test
    void shouldForgetTheOneThatHasWaitedForLongestBeyondThat() {
        for (int inode = 1; inode <= FILES + 1; inode++) {
            progress.put(new ReplicaId(inode, 0), new Progress.Reached(SOURCE, CTIME, inode, false));
        }

        assertThat(progress.take(new ReplicaId(1, 0), SOURCE, CTIME)).isZero();
        assertThat(progress.take(new ReplicaId(2, 0), SOURCE, CTIME)).isEqualTo(2);
    }

    @Test
    void shouldSayOnceOfALateCheckpointOnlyThatItWasOutrun() {
        ReplicaId id = new ReplicaId(1, 0);
        Timestamp later = CTIME.toBuilder().setNanos(1).build();

        progress.put(id, new Progress.Reached(SOURCE, CTIME, 1, false));
        assertThat(progress.isOutrun(id, SOURCE, later)).isFalse();

        progress.put(id, new Progress.Reached(SOURCE, CTIME, 1, true));
        assertThat(progress.isOutrun(id, SOURCE, CTIME)).isFalse();
        assertThat(progress.isOutrun(id, SOURCE, later)).isTrue();
        assertThat(progress.isOutrun(id, SOURCE, later)).isFalse();
    }
}
