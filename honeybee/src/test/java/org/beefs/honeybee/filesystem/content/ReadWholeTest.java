package org.beefs.honeybee.filesystem.content;

import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.honeybee.fake.FakeHive.ROOT;

import com.google.protobuf.ByteString;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.ReplicaPlace;
import org.beefs.common.wire.Timestamp;
import org.beefs.honeybee.data.LocalReplicas;
import org.beefs.honeybee.fake.FakeHive;
import org.beefs.honeybee.fake.FakeLocalReplicas;
import org.beefs.honeybee.filesystem.FileSystem.OpenFlags;
import org.junit.jupiter.api.Test;

/** What a release says of how much was read from another desktop. */
class ReadWholeTest {
    private static final OpenFlags READ = new OpenFlags(true, false, false, false, false, false);
    private static final OpenFlags UPDATE = new OpenFlags(true, true, false, false, false, false);
    private static final ByteString HERE = ByteString.copyFromUtf8("this honeycomb's");
    private static final Timestamp TIME =
            Timestamp.newBuilder().setSeconds(1000).build();
    private static final String CONTENT = "content";

    @Test
    void shouldTellThatAllCameFromElsewhere() {
        FakeHive hive = withHoneycomb();

        assertThat(isToldWhole(hive, elsewhere(hive), READ, 4, 3)).isTrue();
    }

    @Test
    void shouldNotTellSoOfAPart() {
        FakeHive hive = withHoneycomb();

        assertThat(isToldWhole(hive, elsewhere(hive), READ, 4)).isFalse();
    }

    @Test
    void shouldNotTellSoWithoutReading() {
        FakeHive hive = withHoneycomb();

        assertThat(isToldWhole(hive, elsewhere(hive), READ)).isFalse();
    }

    @Test
    void shouldNotTellSoWhereAReplicaCannotBe() {
        FakeHive hive = FakeHive.started();

        assertThat(isToldWhole(hive, elsewhere(hive), READ, 7)).isFalse();
    }

    @Test
    void shouldNotTellSoWhereAReplicaIs() {
        FakeHive hive = withHoneycomb();
        long inode = elsewhere(hive);
        hive.queen
                .layout(inode)
                .addSecondaries(ReplicaPlace.newBuilder().setHoneycomb(HERE).setDesktop("desktop1"));

        assertThat(isToldWhole(hive, inode, READ, 7)).isFalse();
    }

    @Test
    void shouldNotTellSoOfWhatMayHaveBeenWritten() {
        FakeHive hive = withHoneycomb();

        assertThat(isToldWhole(hive, elsewhere(hive), UPDATE, 7)).isFalse();
    }

    @Test
    void shouldNotTellSoOfWhatSomebodyWrites() {
        FakeHive hive = withHoneycomb();
        long inode = elsewhere(hive);
        hive.queen.layout(inode).setDirty(true).setCommittedSize(0);

        assertThat(isToldWhole(hive, inode, READ, 4)).isFalse();
    }

    private static FakeHive withHoneycomb() {
        FakeHive hive = new FakeHive(FakeHive.CONFIG, null, new LocalReplicas(HERE, new FakeLocalReplicas()));
        hive.get(hive.session.start());
        return hive;
    }

    private static long elsewhere(FakeHive hive) {
        long inode = hive.queen.addFile(
                "f",
                hive.honeycomb
                        .layout()
                        .setVersion(1)
                        .setCommittedSize(CONTENT.length())
                        .setCommittedMtime(TIME),
                Attributes.newBuilder().setMode(0100644).setSize(CONTENT.length()));
        hive.honeycomb.put(inode, CONTENT, TIME);
        return inode;
    }

    /** After reads of so many bytes, one behind the other. */
    private static boolean isToldWhole(FakeHive hive, long inode, OpenFlags flags, int... lengths) {
        long handle = hive.get(hive.files.open(ROOT, inode, flags)).handle();
        long offset = 0;
        for (int length : lengths) {
            hive.get(hive.files.read(handle, offset, length)).close();
            offset += length;
        }
        hive.get(hive.files.release(handle));
        return hive.queen.releases.getLast().getReadWhole();
    }
}
