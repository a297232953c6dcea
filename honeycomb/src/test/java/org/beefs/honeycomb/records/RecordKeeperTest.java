package org.beefs.honeycomb.records;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import org.beefs.common.wire.Record;
import org.beefs.common.wire.RecordPage;
import org.beefs.common.wire.Records;
import org.beefs.honeycomb.memory.MemoryRecords;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pages are as large as whoever asks wants them, within bounds. */
class RecordKeeperTest {
    private static final int RECORDS = 300;
    private static final int RECORD_BYTES = 10_000;

    private final MemoryRecords store = new MemoryRecords();
    private final RecordKeeper keeper = new RecordKeeper(ByteString.copyFromUtf8("sixteen bytes id"), store);

    @BeforeEach
    void fill() {
        Records.Builder records = Records.newBuilder().setHive(ByteString.copyFromUtf8("hive"));
        for (int i = 1; i <= RECORDS; i++) {
            records.addRecords(Record.newBuilder()
                    .setInode(i)
                    .setSequence(1)
                    .setContent(ByteString.copyFrom(new byte[RECORD_BYTES])));
        }
        store.write(records.build());
    }

    @Test
    void shouldTellAMebibyteUnlessLessIsWanted() {
        int mebibyte = keeper.page(0, 0).getRecordsCount();
        assertThat(mebibyte).isBetween((1 << 20) / RECORD_BYTES - 1, (1 << 20) / RECORD_BYTES + 1);
        assertThat(keeper.page(0, 1 << 30).getRecordsCount()).isEqualTo(mebibyte);
        assertThat(keeper.page(0, 3 * RECORD_BYTES).getRecordsCount()).isBetween(2, 4);
    }

    @Test
    void shouldComeToTheEndHoweverSmallThePagesAre() {
        RecordPage first = keeper.page(0, 1);
        assertThat(first.getAll()).isEqualTo(RECORDS);
        long seen = 0;
        for (RecordPage page = first; page.getRecordsCount() > 0; page = keeper.page(seen + 1, 1)) {
            assertThat(page.getRecordsList()).singleElement().matches(record -> record.getSequence() == 1);
            seen = page.getRecords(0).getInode();
        }
        assertThat(seen).isEqualTo(RECORDS);
    }
}
