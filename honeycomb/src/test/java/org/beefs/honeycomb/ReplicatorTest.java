package org.beefs.honeycomb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.honeycomb.store.Targets.EPOCH;
import static org.beefs.honeycomb.store.Targets.capability;
import static org.beefs.honeycomb.store.Targets.name;
import static org.beefs.honeycomb.store.Targets.target;

import com.google.protobuf.ByteString;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.DesktopReply;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.common.wire.Fetch;
import org.beefs.common.wire.Fetched;
import org.beefs.common.wire.Fetches;
import org.beefs.common.wire.HoneycombOffer;
import org.beefs.common.wire.ReplicaPlace;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.Seal;
import org.beefs.common.wire.Seals;
import org.beefs.honeycomb.memory.MemoryDisk;
import org.junit.jupiter.api.Test;

/** Copies of what takes longer than one request. */
class ReplicatorTest extends HoneycombFixture {
    private static final long VERSION = 7;
    private static final int FILES = 3;

    /** Two windows, of which the first takes 125 ms. */
    private static final long SIZE = 9 * MIB;

    private static final Duration ONE_WINDOW = Duration.ofMillis(100);

    /** What a request has. */
    private static final Duration REQUEST = Duration.ofSeconds(15);

    /** Bytes in a second. */
    private static final int SLOW = 100_000;

    @Test
    void shouldGoOnWithEachOfSeveralLargeFilesWhereItWas() throws IOException {
        Honeycomb source = start(catalog);
        Honeycomb copier = startOn(new MemoryDisk(timers.clock(), 64 * MIB));
        ReplicaPlace place = place(source.offer(null).join());
        Queue<Fetch> waiting = new ArrayDeque<>();
        for (long inode = 1; inode <= FILES; inode++) {
            waiting.add(fetch(written(source, inode, SIZE), place));
        }

        int requests = 0;
        while (!waiting.isEmpty() && requests < 3 * FILES) {
            requests++;
            Fetch next = waiting.remove();
            Fetched fetched = fetch(copier, next);
            assertThat(fetched.hasFailure()).as("%s", fetched.getFailure()).isFalse();
            if (!fetched.getComplete()) {
                waiting.add(next);
            }
        }

        assertThat(waiting).isEmpty();
        assertThat(requests).isEqualTo(2 * FILES);
    }

    @Test
    void shouldGoOnAtOnceForWhoWaitsWithWhatIsBeingCopiedInTheBackground() throws IOException {
        Honeycomb source = start(catalog);
        Honeycomb copier = startOn(new MemoryDisk(timers.clock(), 64 * MIB));
        Fetch file = fetch(written(source, 1, SIZE), place(source.offer(null).join()));
        network.setRate(10_000_000);
        CompletableFuture<DesktopReply> background = begin(copier, false, file);
        timers.advance(ONE_WINDOW);
        copier.pause(Duration.ofHours(1));
        timers.advance(Duration.ofSeconds(1));
        assertThat(background).isNotDone();
        assertThat(copier.copied()).isPositive().isLessThan(SIZE);

        CompletableFuture<DesktopReply> urgent = begin(copier, true, file);
        timers.advance(Duration.ofSeconds(2));

        assertThat(urgent).isCompleted();
        assertThat(urgent.join().getFetched(0).getComplete()).isTrue();
        assertThat(copier.copied()).as("it has gone on from there").isEqualTo(SIZE);
        assertThat(background.join().getFetched(0)).isEqualTo(Fetched.getDefaultInstance());
    }

    @Test
    void shouldBeginNothingInTheBackgroundThatSomebodyWaitsFor() throws IOException {
        Honeycomb source = start(catalog);
        Honeycomb copier = startOn(new MemoryDisk(timers.clock(), 64 * MIB));
        ReplicaStatus changing = written(source, 1, SIZE);
        Fetch file = fetch(changing, place(source.offer(null).join()));
        Fetch checkpoint = file.toBuilder()
                .setCheckpoint(true)
                .setQuietMillis((int) REQUEST.toMillis())
                .build();
        begin(copier, true, checkpoint);
        timers.advance(Duration.ofSeconds(1));

        CompletableFuture<DesktopReply> background = begin(copier, false, file);
        timers.advance(Duration.ofSeconds(1));

        assertThat(background.join().getFetched(0)).isEqualTo(Fetched.getDefaultInstance());
        assertThat(copier.copied()).isZero();
    }

    /** In the background it would come from another source, which has the earlier one still. */
    @Test
    void shouldNotReplaceAVersionThatWasAskedForLater() throws IOException {
        Honeycomb primary = start(catalog);
        Honeycomb secondary = startOn(new MemoryDisk(timers.clock(), 64 * MIB));
        Honeycomb copier = startOn(new MemoryDisk(timers.clock(), 64 * MIB));
        ReplicaPlace first = place(primary.offer(null).join());
        Fetch large = fetch(written(primary, 1, SIZE), first);
        Fetch earlier = fetch(sealed(secondary, 2, MIB), first).toBuilder()
                .addSources(place(secondary.offer(null).join()))
                .build();
        Fetch later = fetch(sealed(primary, 2, MIB, VERSION + 1), first).toBuilder()
                .setVersion(VERSION + 1)
                .build();
        network.setRate(10_000_000);
        CompletableFuture<DesktopReply> background = begin(copier, false, large, earlier);
        timers.advance(ONE_WINDOW);

        CompletableFuture<DesktopReply> urgent = begin(copier, true, later);
        timers.advance(REQUEST);

        assertThat(urgent.join().getFetched(0).getComplete()).isTrue();
        assertThat(background.join().getFetched(0).getComplete())
                .as("it was worked on to its end")
                .isTrue();
        assertThat(background.join().getFetched(1).getFailure().getErrno()).isEqualTo(Errno.ESTALE.number());
        assertThat(version(copier, 2)).isEqualTo(VERSION + 1);
    }

    /** A file may have gone back to it. */
    @Test
    void shouldReplaceALaterVersionByOneThatIsAskedForAfterIt() throws IOException {
        Honeycomb source = start(catalog);
        Honeycomb other = startOn(new MemoryDisk(timers.clock(), 64 * MIB));
        Honeycomb copier = startOn(new MemoryDisk(timers.clock(), 64 * MIB));
        Fetch later = fetch(
                        sealed(source, 1, MIB, VERSION + 1),
                        place(source.offer(null).join()))
                .toBuilder()
                .setVersion(VERSION + 1)
                .build();
        assertThat(fetch(copier, later).getComplete()).isTrue();

        Fetch earlier = fetch(sealed(other, 1, MIB), place(other.offer(null).join()));

        assertThat(fetch(copier, earlier).getComplete()).isTrue();
        assertThat(version(copier, 1)).isEqualTo(VERSION);
    }

    private static long version(Honeycomb honeycomb, long inode) {
        return inventory(honeycomb).stream()
                .filter(replica -> replica.getInode() == inode)
                .findFirst()
                .orElseThrow()
                .getVersion();
    }

    @Test
    void shouldPauseWithACheckpointThatWasOutrun() throws IOException {
        Honeycomb source = start(catalog);
        Honeycomb copier = startOn(new MemoryDisk(timers.clock(), 64 * MIB));
        ReplicaStatus open = written(source, 1, SIZE);
        Fetch checkpoint = fetch(open, place(source.offer(null).join())).toBuilder()
                .setVersion(VERSION + 1)
                .setCheckpoint(true)
                .build();
        timers.advance(Duration.ofSeconds(2));
        assertThat(fetch(copier, checkpoint)).as("there is no time for more").isEqualTo(Fetched.getDefaultInstance());

        write(source, 1, "changed");
        timers.advance(Duration.ofSeconds(2));

        assertThat(fetch(copier, checkpoint).getFailure().getErrno()).isEqualTo(Errno.EAGAIN.number());
        assertThat(fetch(copier, checkpoint)).as("it begins anew").isEqualTo(Fetched.getDefaultInstance());
        assertThat(fetch(copier, checkpoint).getComplete()).isTrue();
    }

    @Test
    void shouldPassOverHolesThatAreBothHereAndThere() throws IOException {
        Honeycomb source = start(catalog);
        MemoryDisk to = new MemoryDisk(timers.clock(), 64 * MIB);
        Honeycomb copier = startOn(to);
        ReplicaPlace place = place(source.offer(null).join());
        long size = 20 * MIB + 5;
        written(source, 1, MIB);
        long before = copier.copied();

        assertThat(fetchUntilComplete(copier, fetch(sealed(source, 1, size), place)))
                .isOne();
        assertThat(copier.copied() - before).isLessThan(2 * MIB);
        assertThat(to.look().getFirst().size()).isEqualTo(size);

        long first = copier.copied();
        source.replicas()
                .write(target(1), 10 * MIB + 7, false, Unpooled.wrappedBuffer(new byte[] {1}))
                .join();
        Fetch next = fetch(sealed(source, 1, size, VERSION + 1), place).toBuilder()
                .setVersion(VERSION + 1)
                .build();
        assertThat(fetchUntilComplete(copier, next)).isOne();
        assertThat(copier.copied() - first).as("the old content, and the new").isLessThan(4 * MIB);
        assertThat(fingerprint(to)).isEqualTo(fingerprint(disk));
    }

    /** Of the content of the only replica that is there. */
    private static int fingerprint(MemoryDisk disk) {
        disk.losePower();
        return disk.look().getFirst().fingerprint();
    }

    private static CompletableFuture<DesktopReply> begin(Honeycomb copier, boolean urgent, Fetch... fetches) {
        return copier.serve(DesktopRequest.newBuilder()
                .setFetch(Fetches.newBuilder()
                        .setPatienceMillis((int) REQUEST.toMillis())
                        .setUrgent(urgent)
                        .addAllFetches(List.of(fetches)))
                .build());
    }

    @Test
    void shouldCopyNothingFromAnotherHoneycombAtTheAddress() throws IOException {
        Honeycomb source = start(catalog);
        Honeycomb copier = startOn(new MemoryDisk(timers.clock(), 64 * MIB));
        ReplicaPlace place = place(source.offer(null).join()).toBuilder()
                .setHoneycomb(ByteString.copyFromUtf8("another one's id"))
                .build();

        Fetched fetched = fetch(copier, Fetches.newBuilder().addFetches(fetch(sealed(source, 1, SIZE), place)))
                .getFirst();

        assertThat(fetched.getFailure().getReason())
                .contains("another honeycomb (of the test's desktop) answers at port ");
    }

    @Test
    void shouldCopyALargeFileOverASlowNetwork() throws IOException {
        Honeycomb source = start(catalog);
        Honeycomb copier = startOn(new MemoryDisk(timers.clock(), 64 * MIB));
        Fetch file = fetch(written(source, 1, 3 * MIB), place(source.offer(null).join()));
        network.setRate(SLOW);

        // 31 s for the content alone.
        assertThat(fetchUntilComplete(copier, file)).isBetween(3, 4);
    }

    @Test
    void shouldCopyASmallFileThatTakesLongerThanARequest() throws IOException {
        Honeycomb source = start(catalog);
        Honeycomb copier = startOn(new MemoryDisk(timers.clock(), 64 * MIB));
        Fetch file = fetch(written(source, 1, MIB), place(source.offer(null).join()));
        network.setRate(SLOW / 5);

        // 13 s for each quarter.
        assertThat(fetchUntilComplete(copier, file)).isBetween(4, 5);
    }

    @Test
    void shouldCopySmallFilesOverASlowNetworkThatTakeLongerTogetherThanARequest() throws IOException {
        Honeycomb source = start(catalog);
        Honeycomb copier = startOn(new MemoryDisk(timers.clock(), 64 * MIB));
        ReplicaPlace place = place(source.offer(null).join());
        List<Fetch> files = new ArrayList<>();
        for (long inode = 1; inode <= 20; inode++) {
            files.add(fetch(written(source, inode, MIB / 8), place));
        }
        network.setRate(SLOW);

        // 26 s for the content alone.
        assertThat(fetchUntilComplete(copier, files.toArray(Fetch[]::new))).isBetween(2, 3);
    }

    @Test
    void shouldCopyWhatIsElsewhereBehindFilesOfASourceThatCannotBeReached() throws IOException {
        Honeycomb source = start(catalog);
        Honeycomb copier = startOn(new MemoryDisk(timers.clock(), 64 * MIB));
        ReplicaPlace nowhere = ReplicaPlace.newBuilder()
                .setHoneycomb(ByteString.copyFromUtf8("a desktop at work"))
                .setAddress("127.0.0.1:9")
                .build();
        Fetch healthy = fetch(sealed(source, 1, MIB), place(source.offer(null).join())).toBuilder()
                .addSources(0, nowhere)
                .build();
        Fetches.Builder fetches = Fetches.newBuilder();
        for (long inode = 2; inode <= 1000; inode++) {
            fetches.addFetches(healthy.toBuilder()
                    .setReplica(name(inode))
                    .setSize(inode % 2 == 0 ? 3 * MIB : 1)
                    .clearSources()
                    .addSources(nowhere));
        }
        fetches.addFetches(healthy);

        List<Fetched> fetched = fetch(copier, fetches);

        assertThat(fetched.getLast().getComplete()).isTrue();
        assertThat(fetched.subList(0, 999))
                .allMatch(one -> one.getUnreachable() && one.getFailure().getErrno() == Errno.EIO.number());
    }

    @Test
    void shouldNotSayThatASourceIsUnreachableThatHasNotWhatIsWanted() throws IOException {
        Honeycomb source = start(catalog);
        Honeycomb copier = startOn(new MemoryDisk(timers.clock(), 64 * MIB));
        Fetch file = fetch(sealed(source, 1, MIB), place(source.offer(null).join())).toBuilder()
                .setVersion(VERSION + 1)
                .build();

        Fetched fetched = fetch(copier, Fetches.newBuilder().addFetches(file)).getFirst();

        assertThat(fetched.hasFailure()).isTrue();
        assertThat(fetched.getUnreachable()).isFalse();
    }

    /** As one is asked that keeps a checkpoint, and has lost it: EAGAIN would have it asked again for ever. */
    @Test
    void shouldSayThatItDoesNotHaveWhatItIsToTakeFromItself() throws IOException {
        Honeycomb itself = start(catalog);
        Fetch older = fetch(sealed(itself, 1, MIB), place(itself.offer(null).join()));
        Fetches.Builder fetches = Fetches.newBuilder()
                .addFetches(older.toBuilder().setVersion(VERSION + 1))
                .addFetches(older.toBuilder().setReplica(name(2)));

        assertThat(fetch(itself, fetches))
                .allMatch(one -> one.hasFailure() && !one.getUnreachable())
                .noneMatch(one -> one.getFailure().getErrno() == Errno.EAGAIN.number());
    }

    /** How many requests that took. */
    private int fetchUntilComplete(Honeycomb copier, Fetch... files) {
        List<Fetch> waiting = new ArrayList<>(List.of(files));
        int requests = 0;
        while (!waiting.isEmpty() && requests < 10) {
            requests++;
            List<Fetched> fetched = fetch(copier, Fetches.newBuilder().addAllFetches(waiting));
            assertThat(fetched).noneMatch(Fetched::hasFailure);
            for (int i = fetched.size() - 1; i >= 0; i--) {
                if (fetched.get(i).getComplete()) {
                    waiting.remove(i);
                }
            }
        }
        assertThat(waiting).isEmpty();
        return requests;
    }

    private List<Fetched> fetch(Honeycomb copier, Fetches.Builder fetches) {
        CompletableFuture<DesktopReply> reply = copier.serve(DesktopRequest.newBuilder()
                .setFetch(fetches.setPatienceMillis((int) REQUEST.toMillis()))
                .build());
        timers.advance(REQUEST.plusSeconds(5));
        assertThat(reply).isCompleted();
        return reply.join().getFetchedList();
    }

    /** Without holes, which are not copied. */
    private static ReplicaStatus written(Honeycomb honeycomb, long inode, long size) {
        byte[] piece = new byte[(int) Math.min(size, MIB)];
        Arrays.fill(piece, (byte) 1);
        for (long offset = 0; offset < size; offset += piece.length) {
            honeycomb
                    .replicas()
                    .write(target(inode), offset, false, Unpooled.wrappedBuffer(piece))
                    .join();
        }
        return sealed(honeycomb, inode, size);
    }

    private static ReplicaStatus sealed(Honeycomb honeycomb, long inode, long size) {
        return sealed(honeycomb, inode, size, VERSION);
    }

    private static ReplicaStatus sealed(Honeycomb honeycomb, long inode, long size, long version) {
        ReplicaStatus status =
                honeycomb.replicas().truncate(target(inode), size).join();
        Seal seal = Seal.newBuilder()
                .setReplica(name(inode))
                .setVersion(version)
                .setSize(size)
                .setMtime(status.getMtime())
                .build();
        ask(honeycomb, DesktopRequest.newBuilder().setSeal(Seals.newBuilder().addSeals(seal)));
        return status;
    }

    private static ReplicaPlace place(HoneycombOffer offer) {
        return ReplicaPlace.newBuilder()
                .setHoneycomb(offer.getUuid())
                .setAddress(offer.getAddress())
                .build();
    }

    private static Fetch fetch(ReplicaStatus status, ReplicaPlace from) {
        return Fetch.newBuilder()
                .setReplica(name(status.getInode()))
                .setVersion(VERSION)
                .setSize(status.getSize())
                .addSources(from)
                .setCapability(capability(status.getInode(), EPOCH, true, false))
                .build();
    }

    private Fetched fetch(Honeycomb copier, Fetch fetch) {
        CompletableFuture<DesktopReply> reply = copier.serve(DesktopRequest.newBuilder()
                .setFetch(Fetches.newBuilder()
                        .setPatienceMillis(ONE_WINDOW.toMillisPart())
                        .addFetches(fetch))
                .build());
        timers.advance(Duration.ofSeconds(1));
        assertThat(reply).isCompleted();
        return reply.join().getFetched(0);
    }
}
