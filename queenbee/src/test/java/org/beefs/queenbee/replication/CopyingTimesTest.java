package org.beefs.queenbee.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.beefs.common.wire.Fetched;
import org.beefs.queenbee.testing.Ask;
import org.junit.jupiter.api.Test;

/** How long a version waits to be copied that others come before, or whose file is written meanwhile. */
class CopyingTimesTest extends ComingAndGoingTest {
    @Test
    void shouldTellForHowLongAVersionHasWaitedThatIsCopiedInParts() {
        go(third);
        second.setFetched(_ -> {
            second.holdAnswers();
            return Fetched.getDefaultInstance();
        });
        for (String name : List.of("first", "other", "another")) {
            createCommitted(name);
        }
        advance(COHERENCE);

        for (int answers = 0; answers < 20; answers++) {
            second.answerHeld();
            advance(Duration.ofSeconds(14));
        }

        assertThat(hive.queenBee().state().replication().lag()).isGreaterThan(Duration.ofMinutes(4));
        second.setFetched(_ -> Fetched.newBuilder().setComplete(true).build());
        second.answerHeld();
        assertThat(hive.queenBee().state().replication().lag()).isZero();
    }

    @Test
    void shouldNotWaitAnewForAFileThatIsOpenedToWriteWhenItsTimeHasCome() {
        writer.holdAnswers();
        long inode = createCommitted("f");
        advance(COHERENCE);
        long handle = writer.openToWrite(inode);
        writer.answerHeld();
        assertThat(hive.inode(inode).dirty()).isTrue();

        writer.ok(Ask.release(inode, handle, written(inode, 2)));
        advance(CONFIG.sealDelay().plus(CONFIG.heartbeat().multipliedBy(2)));

        assertThat(hive.inode(inode).secondaries().current()).hasSize(2);
    }

    private long createCommitted(String name) {
        return writer.createWritten(name, inode -> written(inode, 1));
    }
}
