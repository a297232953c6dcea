package org.beefs.honeybee.queen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.beefs.common.wire.MakeDirectory;
import org.beefs.common.wire.QueenRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DecidedLogTest {
    private final ByteBuffer memory = ByteBuffer.allocate(DecidedLog.BYTES);
    private final DecidedLog log = new DecidedLog(memory, "start 1");

    @Test
    void shouldHaveNothingAtFirst() {
        log.add(1, request("a"));

        assertThat(log.left()).isEmpty();
    }

    @Test
    void shouldGiveTheNextProcessWhatWasNotAnsweredInItsOrder() {
        log.add(1, request("a"));
        log.add(2, request("b"));
        log.add(3, request("c"));
        log.remove(2);
        log.add(4, request("d"));

        assertThat(next().left()).containsExactly(request("a"), request("c"), request("d"));
    }

    @Test
    void shouldKeepWhatIsLeftUntilTheQueenBeeHasIt() {
        log.add(1, request("a"));
        DecidedLog second = next();
        second.add(2, request("b"));

        assertThat(next().left()).as("the second was killed too").containsExactly(request("a"), request("b"));
    }

    @Test
    void shouldForgetWhatTheQueenBeeHas() {
        log.add(1, request("a"));
        DecidedLog second = next();
        second.add(1, request("b"));

        second.forgetLeft();

        assertThat(second.left()).isEmpty();
        assertThat(next().left()).containsExactly(request("b"));
    }

    @Test
    void shouldNotBelieveWhatIsThereAfterAnotherStartOfTheMachine() {
        log.add(1, request("a"));

        assertThat(new DecidedLog(memory, "start 2").left()).isEmpty();
        assertThat(new DecidedLog(memory, "start 1").left()).isEmpty();
    }

    @Test
    void shouldTakeAsManyAsTheFormerProcessHasLeftBesides() {
        for (int i = 0; i < DecidedLog.MOST; i++) {
            log.add(i, request("a" + i));
        }
        DecidedLog second = next();
        for (int i = 0; i < DecidedLog.MOST; i++) {
            second.add(i, request("b" + i));
        }

        assertThat(second.left()).hasSize(DecidedLog.MOST);
        assertThatIllegalStateException().isThrownBy(() -> second.add(DecidedLog.MOST, request("one more")));
        second.forgetLeft();
        second.add(DecidedLog.MOST, request("one more"));
    }

    @Test
    void shouldUseRoomAgain() {
        for (int i = 0; i < 5000; i++) {
            log.add(i, request("a" + i));
            log.remove(i);
        }

        assertThat(next().left()).isEmpty();
    }

    @Test
    void shouldTakeTheLargestRequest() {
        int overhead = request("").getSerializedSize();
        QueenRequest largest = request("n".repeat(DecidedLog.LARGEST - overhead - 6));
        assertThat(largest.getSerializedSize()).isLessThanOrEqualTo(DecidedLog.LARGEST);
        log.add(1, largest);
        log.add(2, request("b"));

        assertThat(next().left()).containsExactly(largest, request("b"));
    }

    @Test
    void shouldRefuseWhatIsLarger() {
        assertThatIllegalStateException().isThrownBy(() -> log.add(1, request("n".repeat(DecidedLog.LARGEST))));
        assertThat(next().left()).isEmpty();
    }

    @Test
    void shouldLeaveOutWhatIsDamaged() {
        log.add(1, request("a"));
        log.add(2, request("b"));
        byte[] all = memory.array();
        int at = new String(all, StandardCharsets.ISO_8859_1).indexOf("made a");
        all[at - 1] = 100;

        assertThat(next().left()).containsExactly(request("b"));
    }

    @Test
    void shouldOutliveTheProcessInAFile(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("decided");
        DecidedLog.open(file, "start 1").add(1, request("a"));

        assertThat(DecidedLog.open(file, "start 1").left()).containsExactly(request("a"));
        assertThat(DecidedLog.open(file, "start 2").left()).isEmpty();
    }

    @Test
    void shouldNotFollowASymbolicLink(@TempDir Path folder) throws IOException {
        Path others = Files.writeString(folder.resolve("shadow"), "of somebody else");
        Path link = Files.createSymbolicLink(folder.resolve("decided"), others);

        assertThatThrownBy(() -> DecidedLog.open(link, "start 1")).isInstanceOf(IOException.class);
        assertThat(others).hasContent("of somebody else");
    }

    @Test
    void shouldTakeNothingMoreWhenTheDiskFails(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("decided");
        DecidedLog mapped = DecidedLog.open(file, "start 1");
        mapped.add(1, request("a"));
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(0); // its pages cannot be written any more, as on a disk that has become read-only
        }

        mapped.add(2, request("b"));
        mapped.remove(1);

        assertThat(mapped.hasRoom()).isFalse();
    }

    /** Nobody has mapped anything at the beginning of a process. */
    @Test
    void shouldTellAFileThatCannotBeRead(@TempDir Path folder) throws IOException {
        try (FileChannel unreadable = FileChannel.open(Path.of("/proc/self/mem"), StandardOpenOption.READ);
                FileChannel sound = FileChannel.open(
                        folder.resolve("sound"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            assertThat(DecidedLog.damageOf(unreadable)).contains("it cannot be read");
            assertThat(DecidedLog.damageOf(sound)).isNull();
        }
    }

    private DecidedLog next() {
        return new DecidedLog(memory, "start 1");
    }

    private static QueenRequest request(String name) {
        return QueenRequest.newBuilder()
                .setMakeDirectory(MakeDirectory.newBuilder().setName(ByteString.copyFromUtf8("made " + name)))
                .build();
    }
}
