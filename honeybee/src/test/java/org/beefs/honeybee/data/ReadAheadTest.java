package org.beefs.honeybee.data;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.beefs.common.rpc.Payload;
import org.beefs.common.time.ManualTimers;
import org.beefs.common.wire.Layout;
import org.beefs.honeybee.cache.ReadableFile;
import org.junit.jupiter.api.Test;

/** What small files stay in memory that were fetched and that nobody has read yet. */
class ReadAheadTest {
    private final ManualTimers timers = new ManualTimers();
    private final List<Long> readOtherwise = new ArrayList<>();
    private int size = 1;
    private final ReadAhead ahead = new ReadAhead(
            this::file,
            timers,
            files -> CompletableFuture.completedFuture(files.stream()
                    .map(file -> new byte[(int) file.getCommittedSize()])
                    .toList()));

    @Test
    void shouldKeepTheLatestFilesUpToTheirNumber() {
        fetch(ReadAhead.MOST_FILES + 1);

        read(1);
        read(2);
        read(ReadAhead.MOST_FILES + 1);

        assertThat(readOtherwise).containsExactly(1L);
    }

    @Test
    void shouldKeepTheLatestFilesUpToTheirSize() {
        size = ReadAhead.LARGEST;
        int most = ReadAhead.MOST / size;
        fetch(most + 1);

        read(1);
        read(2);
        read(most + 1);

        assertThat(readOtherwise).containsExactly(1L);
    }

    @Test
    void shouldForgetWhatNobodyReadsAndKeepWhatHasJustCome() {
        fetch(1);
        timers.advance(ReadAhead.KEPT);
        ahead.fetch(List.of(file(2)));
        timers.advance(ReadAhead.KEPT);

        read(1);
        read(2);

        assertThat(readOtherwise).containsExactly(1L);
    }

    private ReadableFile file(long inode) {
        Layout layout = Layout.newBuilder()
                .setInode(inode)
                .setHoneycomb(ByteString.copyFromUtf8("honeycomb"))
                .setCommittedSize(size)
                .build();
        return new ReadableFile(layout, inode);
    }

    private void fetch(int last) {
        ahead.fetch(LongStream.rangeClosed(1, last).mapToObj(this::file).toList());
    }

    private void read(long inode) {
        ahead.read(inode, 0, size, () -> {
                    readOtherwise.add(inode);
                    return CompletableFuture.completedFuture(Payload.NONE);
                })
                .join()
                .close();
    }
}
