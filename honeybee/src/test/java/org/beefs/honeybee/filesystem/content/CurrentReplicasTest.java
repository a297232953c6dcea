package org.beefs.honeybee.filesystem.content;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.honeybee.fake.FakeHive.ROOT;

import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.rpc.Payload;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.DataRequest;
import org.beefs.common.wire.DataRequest.OperationCase;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Recall;
import org.beefs.common.wire.ReplicaPlace;
import org.beefs.common.wire.Timestamp;
import org.beefs.honeybee.fake.FakeHive;
import org.beefs.honeybee.fake.FakeHoneycomb;
import org.beefs.honeybee.filesystem.FileSystem.OpenFlags;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which replica is read: the primary is on desktop2, a secondary on desktop3. */
class CurrentReplicasTest {
    private static final OpenFlags READ = new OpenFlags(true, false, false, false, false, false);
    private static final long VERSION = 7;
    private static final Timestamp TIME =
            Timestamp.newBuilder().setSeconds(1000).build();

    /** Longer than one replica is waited for while there are others. */
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final FakeHive hive = new FakeHive();
    private final FakeHoneycomb primary = hive.honeycomb;
    private final FakeHoneycomb secondary = new FakeHoneycomb(hive.network, hive.timers, "desktop3");
    private final long inode;

    CurrentReplicasTest() {
        secondary.start(0);
        hive.queen.grants = true;
        hive.get(hive.session.start());
        inode = hive.queen.addFile(
                "f",
                primary.layout()
                        .setVersion(VERSION)
                        .setCommittedSize(7)
                        .setCommittedMtime(TIME)
                        .addSecondaries(place(secondary)),
                Attributes.newBuilder().setMode(0100644).setSize(7));
        put(primary, "primary");
        put(secondary, "copied.");
    }

    @Test
    void shouldReadThePrimaryWhileItIsThere() {
        assertThat(text(hive.get(read(open())))).isEqualTo("primary");
        assertThat(reads(secondary)).isEmpty();
    }

    @Test
    void shouldReadASecondaryWhenTheQueenBeeDoesNotSeeThePrimary() {
        hive.queen.layout(inode).clearAddress();

        assertThat(text(hive.get(read(open())))).isEqualTo("copied.");
        assertThat(reads(secondary))
                .extracting(request -> request.getTarget().getExactVersion())
                .containsExactly(VERSION);
    }

    @Test
    void shouldGoOnToASecondaryWhenThePrimaryFails() {
        long handle = open();
        primary.stop();

        assertThat(text(hive.get(read(handle), PATIENCE))).isEqualTo("copied.");
    }

    @Test
    void shouldAskASlowReplicaOnceWhenThereIsNoOther() {
        hive.queen.layout(inode).clearSecondaries();
        long handle = open();
        primary.held = OperationCase.READ;
        CompletableFuture<Payload.Bytes> read = read(handle);
        hive.pass(PATIENCE.multipliedBy(2));

        letGo(primary);

        assertThat(text(hive.get(read))).isEqualTo("primary");
        assertThat(reads(primary)).hasSize(1);
    }

    /** As when the program that reads was killed: nobody waits for the answer, and its descriptor is closed. */
    @Test
    void shouldNotOpenAgainForAReadWhoseHandleIsReleased() {
        long handle = open();
        primary.held = OperationCase.READ;
        secondary.held = OperationCase.READ;
        read(handle);
        hive.pass(Duration.ofSeconds(1));
        hive.get(hive.files.release(handle));
        int opens = hive.queen.requestsOf(QueenRequest.OperationCase.OPEN).size();

        hive.pass(Duration.ofSeconds(15));

        assertThat(hive.queen.requestsOf(QueenRequest.OperationCase.OPEN)).hasSize(opens);
    }

    @Test
    void shouldTakeTheFirstAnswerOfSeveralSlowReplicas() {
        long handle = open();
        primary.held = OperationCase.READ;
        secondary.held = OperationCase.READ;
        CompletableFuture<Payload.Bytes> read = read(handle);
        hive.pass(PATIENCE.multipliedBy(2));
        assertThat(read).isNotDone();

        letGo(primary);

        assertThat(text(hive.get(read))).isEqualTo("primary");
        letGo(secondary);
        assertThat(reads(primary)).hasSize(1);
        assertThat(reads(secondary)).hasSize(1);
    }

    @Test
    void shouldAskAReplicaLastForAMinuteThatWasSlowerThanAnother() {
        long handle = open();
        primary.held = OperationCase.READ;
        assertThat(text(hive.get(read(handle), PATIENCE))).isEqualTo("copied.");
        letGo(primary);

        assertThat(text(hive.get(read(handle)))).isEqualTo("copied.");
        assertThat(reads(primary)).hasSize(1);

        hive.pass(Duration.ofMinutes(1));
        assertThat(text(hive.get(read(handle)))).isEqualTo("primary");
    }

    @Test
    void shouldLearnWhereElseAFileIsWhenAllFail() {
        long handle = open();
        primary.stop();
        secondary.stop();
        FakeHoneycomb other = new FakeHoneycomb(hive.network, hive.timers, "desktop4");
        other.start(0);
        put(other, "another");
        hive.queen.layout(inode).clearAddress().clearSecondaries().addSecondaries(place(other));

        assertThat(text(hive.get(read(handle), PATIENCE.multipliedBy(3)))).isEqualTo("another");
    }

    @Test
    void shouldNotReadASecondaryOfAnotherVersion() {
        hive.queen.layout(inode).clearAddress();
        long handle = open();
        secondary.seal(inode, VERSION + 1, TIME);

        CompletableFuture<Payload.Bytes> read = read(handle);
        hive.pass(PATIENCE);

        assertThat(read).isNotCompleted();
    }

    @Test
    void shouldNotReadASecondaryWithoutTheLease() {
        hive.queen.layout(inode).clearAddress();
        long handle = open();
        hive.queen.grants = false;
        hive.get(hive.queen.recall(Recall.newBuilder().addInodes(inode).build()));

        CompletableFuture<Payload.Bytes> read = read(handle);
        hive.pass(PATIENCE);

        assertThat(read).isNotCompleted();
        assertThat(reads(secondary)).isEmpty();
    }

    @Test
    void shouldNotBelieveWhatASecondaryAnswersAfterTheLease() {
        hive.queen.layout(inode).clearAddress();
        long handle = open();
        secondary.held = OperationCase.READ;
        CompletableFuture<Payload.Bytes> read = read(handle);
        hive.pass(PATIENCE);
        hive.queen.grants = false;
        hive.get(hive.queen.recall(Recall.newBuilder().addInodes(inode).build()));

        letGo(secondary);

        assertThat(reads(secondary)).hasSize(1);
        assertThat(read).isNotCompleted();
    }

    @Test
    void shouldNotReadASecondaryOfAFileThatSomebodyWrites() {
        hive.queen.layout(inode).setDirty(true);

        assertThat(text(hive.get(read(open())))).isEqualTo("primary");
        assertThat(reads(secondary)).isEmpty();
    }

    @Test
    void shouldReadASecondaryWhenWhoWroteTheFileHasClosedItSinceTheOpen() {
        hive.queen.layout(inode).setDirty(true);
        long handle = open();
        assertThat(text(hive.get(read(handle)))).isEqualTo("primary");

        hive.queen.layout(inode).setDirty(false);
        primary.stop();

        assertThat(text(hive.get(read(handle), PATIENCE.multipliedBy(2)))).isEqualTo("copied.");
    }

    @Test
    void shouldReadASecondaryWhenAFileIsCleanAgainThatSomebodyWroteAfterTheOpen() {
        long handle = open();
        hive.queen.layout(inode).setDirty(true);
        hive.get(hive.queen.recall(Recall.newBuilder().addInodes(inode).build()));
        primary.stop();
        CompletableFuture<Payload.Bytes> read = read(handle);
        hive.pass(Duration.ofMinutes(2));
        assertThat(hive.failure(read)).isEqualTo(Errno.EIO);

        hive.queen.layout(inode).setDirty(false);

        assertThat(text(hive.get(read(handle), PATIENCE.multipliedBy(2)))).isEqualTo("copied.");
    }

    @Test
    void shouldFindAPrimaryThatHasMovedSinceAFileWasOpenedThatSomebodyWrote() {
        hive.queen.layout(inode).setDirty(true);
        long handle = open();

        primary.stop();
        hive.queen
                .layout(inode)
                .setDirty(false)
                .setHoneycomb(secondary.uuid)
                .setAddress(secondary.address())
                .clearSecondaries();

        assertThat(text(hive.get(read(handle), PATIENCE))).isEqualTo("copied.");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void shouldSyncWithoutThePrimaryWhatASecondaryHas(int factor) {
        hive.queen.layout(inode).setPFactor(factor);
        long handle = open();
        primary.stop();

        hive.get(hive.files.sync(handle, false));
    }

    @Test
    void shouldSyncWithoutThePrimaryWhatTheQueenBeeSaysThatASecondaryHas() {
        ReplicaPlace place = hive.queen.layout(inode).getSecondaries(0);
        hive.queen.layout(inode).clearSecondaries();
        long handle = open();
        hive.queen.layout(inode).addSecondaries(place);
        primary.stop();

        hive.get(hive.files.sync(handle, false));
    }

    @Test
    void shouldSyncThePrimaryOfAFileThatSomebodyWritesOrThatIsNowhereElse() {
        long handle = open();
        hive.queen.layout(inode).clearSecondaries();
        hive.get(hive.files.sync(open(), false));
        assertThat(primary.requestsOf(OperationCase.SYNC)).hasSize(1);

        hive.queen.layout(inode).setDirty(true);
        hive.get(hive.queen.recall(Recall.newBuilder().addInodes(inode).build()));
        hive.get(hive.files.sync(handle, false));
        assertThat(primary.requestsOf(OperationCase.SYNC)).hasSize(2);
    }

    private long open() {
        return hive.get(hive.files.open(ROOT, inode, READ)).handle();
    }

    private CompletableFuture<Payload.Bytes> read(long handle) {
        return hive.files.read(handle, 0, 100);
    }

    private void put(FakeHoneycomb honeycomb, String content) {
        honeycomb.put(inode, content, TIME);
        honeycomb.seal(inode, VERSION, TIME);
    }

    private void letGo(FakeHoneycomb honeycomb) {
        honeycomb.held = OperationCase.OPERATION_NOT_SET;
        honeycomb.letGo();
        hive.timers.runDue();
    }

    private static ReplicaPlace place(FakeHoneycomb honeycomb) {
        return ReplicaPlace.newBuilder()
                .setHoneycomb(honeycomb.uuid)
                .setAddress(honeycomb.address())
                .setDesktop(honeycomb.desktop)
                .build();
    }

    private static List<DataRequest> reads(FakeHoneycomb honeycomb) {
        return honeycomb.requestsOf(OperationCase.READ);
    }

    private static String text(Payload content) {
        try (content) {
            return content instanceof Payload.Bytes(ByteBuf bytes) ? bytes.toString(UTF_8) : "";
        }
    }
}
