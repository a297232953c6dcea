package org.beefs.honeycomb.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.honeycomb.store.Targets.target;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.beefs.honeycomb.disk.FencedFiles;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.junit.jupiter.api.Test;

class LeftoversTest {
    private static final ReplicaId ID = new ReplicaId(5, 0);

    private final StoreFixture fixture = new StoreFixture();
    private boolean busy = true;

    /** The daemon's only thread for timers must not wait for the disk. */
    @Test
    void shouldLookLaterWhenTooMuchWaitsForTheDisk() {
        String name = fenced();
        Executor disk = work -> {
            if (busy) {
                throw new RejectedExecutionException();
            }
            work.run();
        };
        Leftovers leftovers = new Leftovers(fixture.files, fixture.space, fixture.timers, disk);
        leftovers.add(name);
        fixture.disk.letGoOfFenced();
        AtomicInteger touched = new AtomicInteger();
        fixture.disk.setFaults(_ -> {
            touched.incrementAndGet();
            return null;
        });

        fixture.timers.advance(Leftovers.SWEEP.multipliedBy(3));
        assertThat(touched).hasValue(0);

        busy = false;
        fixture.timers.advance(Leftovers.SWEEP);
        assertThat(leftovers.count()).isZero();
    }

    /** The name of a file that was taken from its name and copied, while a program holds it. */
    private String fenced() {
        fixture.write(target(5), 0, "honey".getBytes(UTF_8));
        fixture.disk.setOutsideWriter(ID, true);
        FencedFiles fenced = fixture.files.fenced();
        String name = fenced.take(ID);
        fenced.copy(name, ReplicaDescription.newBuilder().setInode(5).build());
        return name;
    }
}
