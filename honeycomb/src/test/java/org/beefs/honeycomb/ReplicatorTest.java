package org.beefs.honeycomb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.honeycomb.store.Targets.EPOCH;
import static org.beefs.honeycomb.store.Targets.capability;
import static org.beefs.honeycomb.store.Targets.name;
import static org.beefs.honeycomb.store.Targets.target;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
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

    @Test
    void shouldGoOnWithEachOfSeveralLargeFilesWhereItWas() throws IOException {
        Honeycomb source = start(catalog);
        Honeycomb copier = startOn(new MemoryDisk(timers.clock(), 64 * MIB));
        ReplicaPlace place = place(source.offer(null).join());
        Queue<Fetch> waiting = new ArrayDeque<>();
        for (long inode = 1; inode <= FILES; inode++) {
            waiting.add(fetch(sealed(source, inode), place));
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
    void shouldCopyNothingFromAnotherHoneycombAtTheAddress() throws IOException {
        Honeycomb source = start(catalog);
        Honeycomb copier = startOn(new MemoryDisk(timers.clock(), 64 * MIB));
        ReplicaPlace place = place(source.offer(null).join()).toBuilder()
                .setHoneycomb(ByteString.copyFromUtf8("another one's id"))
                .build();

        Fetched fetched = fetch(copier, fetch(sealed(source, 1), place), Duration.ofSeconds(30));

        assertThat(fetched.getFailure().getReason())
                .contains("another honeycomb (of the test's desktop) answers at port ");
    }

    private static ReplicaStatus sealed(Honeycomb honeycomb, long inode) {
        ReplicaStatus status =
                honeycomb.replicas().truncate(target(inode), SIZE).join();
        Seal seal = Seal.newBuilder()
                .setReplica(name(inode))
                .setVersion(VERSION)
                .setSize(SIZE)
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
                .setSize(SIZE)
                .addSources(from)
                .setCapability(capability(status.getInode(), EPOCH, true, false))
                .build();
    }

    private Fetched fetch(Honeycomb copier, Fetch fetch) {
        return fetch(copier, fetch, Duration.ofSeconds(1));
    }

    private Fetched fetch(Honeycomb copier, Fetch fetch, Duration patience) {
        CompletableFuture<DesktopReply> reply = copier.maintenance()
                .handle(DesktopRequest.newBuilder()
                        .setFetch(Fetches.newBuilder()
                                .setPatienceMillis(ONE_WINDOW.toMillisPart())
                                .addFetches(fetch))
                        .build());
        timers.advance(patience);
        assertThat(reply).isCompleted();
        return reply.join().getFetched(0);
    }
}
