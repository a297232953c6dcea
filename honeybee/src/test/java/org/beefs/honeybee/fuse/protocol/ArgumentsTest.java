package org.beefs.honeybee.fuse.protocol;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Instant;
import org.beefs.honeybee.filesystem.AttributeChange;
import org.beefs.honeybee.filesystem.AttributeChange.TimeChange;
import org.beefs.honeybee.filesystem.FileSystem.OpenFlags;
import org.junit.jupiter.api.Test;

class ArgumentsTest {
    private final MemorySegment memory = Arena.ofAuto().allocate(128, 8);
    private final Body body = new Body(memory);

    @Test
    void shouldChangeOnlyWhatIsValid() {
        assertThat(change(0)).isEqualTo(new AttributeChange(null, null, null, null, null, null, null, false));

        memory.set(JAVA_LONG, 8, 99);
        memory.set(JAVA_LONG, 16, 1L << 40);
        memory.set(JAVA_INT, 68, 0104755);
        memory.set(JAVA_INT, 76, 1000);
        memory.set(JAVA_INT, 80, -2);
        assertThat(change(0x47 | 0x800)).isEqualTo(new AttributeChange(04755, 1000, -2, null, null, null, 99L, true));
        assertThat(change(0x48)).isEqualTo(new AttributeChange(null, null, null, 1L << 40, null, null, 99L, false));
    }

    @Test
    void shouldSetTimesBefore1970AndTheKernelsPresentTime() {
        memory.set(JAVA_LONG, 32, -1001);
        memory.set(JAVA_INT, 56, 750_000_000);
        memory.set(JAVA_LONG, 40, 1_764_504_000);
        memory.set(JAVA_INT, 60, 4_000_000);

        AttributeChange change = change(Protocol.FATTR_ATIME | Protocol.FATTR_MTIME | Protocol.FATTR_MTIME_NOW);

        assertThat(change.atime()).isEqualTo(new TimeChange.At(Instant.parse("1969-12-31T23:43:19.750Z")));
        assertThat(change.mtime()).isEqualTo(new TimeChange.Now(Instant.parse("2025-11-30T12:00:00.004Z")));
    }

    @Test
    void shouldSetTheNearestTimeThatAHiveKeeps() {
        memory.set(JAVA_LONG, 32, Long.MIN_VALUE);
        memory.set(JAVA_LONG, 40, Long.MAX_VALUE);
        memory.set(JAVA_INT, 60, 999_999_999);

        AttributeChange change = change(Protocol.FATTR_ATIME | Protocol.FATTR_MTIME);

        assertThat(change.atime()).isEqualTo(new TimeChange.At(Instant.parse("1901-12-13T20:45:52Z")));
        assertThat(change.mtime()).isEqualTo(new TimeChange.At(Instant.parse("2446-05-10T22:38:55Z")));
    }

    @Test
    void shouldLeaveMtimeToTruncation() {
        AttributeChange change = change(Protocol.FATTR_SIZE | Protocol.FATTR_MTIME | Protocol.FATTR_MTIME_NOW);

        assertThat(change.size()).isZero();
        assertThat(change.mtime()).isNull();
    }

    /** As before Linux 5.11: whoever may write the file need not be its owner, who alone may change its mode. */
    @Test
    void shouldTakeAModeThatComesWithASizeForSetIdBitsThatATruncationTakesAway() {
        AttributeChange both = change(Protocol.FATTR_SIZE | Protocol.FATTR_MODE);
        assertThat(both.mode()).isNull();
        assertThat(both.clearPrivileges()).isTrue();

        AttributeChange mode = change(Protocol.FATTR_MODE);
        assertThat(mode.mode()).isNotNull();
        assertThat(mode.clearPrivileges()).isFalse();
    }

    @Test
    void shouldAppendExceptWhenDirtyPagesAreWritten() {
        memory.set(JAVA_INT, 32, 02001);
        assertThat(Arguments.Write.of(body).append()).isTrue();
        assertThat(Arguments.Write.of(body).fromPages()).isFalse();

        memory.set(JAVA_INT, 20, Protocol.WRITE_CACHE);
        assertThat(Arguments.Write.of(body).append()).isFalse();
        assertThat(Arguments.Write.of(body).fromPages()).isTrue();
    }

    @Test
    void shouldKnowWritesThatMustBeOnDiskBeforeTheyAreAnswered() {
        memory.set(JAVA_INT, 32, 1);
        assertThat(Arguments.Write.of(body).durable()).isFalse();

        memory.set(JAVA_INT, 32, 010001);
        assertThat(Arguments.Write.of(body).durable()).as("O_DSYNC").isTrue();
        memory.set(JAVA_INT, 32, 04010001);
        assertThat(Arguments.Write.of(body).durable()).as("O_SYNC").isTrue();
    }

    @Test
    void shouldUnderstandHowAFileIsOpened() {
        assertThat(open(0)).isEqualTo(new OpenFlags(true, false, false, false, false, false));
        assertThat(open(01001)).isEqualTo(new OpenFlags(false, true, true, false, false, false));
        assertThat(open(0202)).isEqualTo(new OpenFlags(true, true, false, true, false, false));
        assertThat(open(3)).isEqualTo(new OpenFlags(true, true, false, false, false, false));
        assertThat(open(040)).isEqualTo(new OpenFlags(true, false, false, false, true, false));
    }

    private AttributeChange change(int valid) {
        memory.set(JAVA_INT, 0, valid);
        return new Arguments.Setattr(body).change();
    }

    private OpenFlags open(int flags) {
        memory.set(JAVA_INT, 0, flags);
        return Arguments.Open.of(body).flags();
    }
}
