package org.beefs.honeycomb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.beefs.honeycomb.store.Targets.name;
import static org.beefs.honeycomb.store.Targets.target;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.common.wire.Examine;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.Timestamp;
import org.beefs.honeycomb.memory.MemoryDisk.Operation;
import org.beefs.honeycomb.state.ReplicaId;
import org.junit.jupiter.api.Test;

class HoneycombPowerLossTest extends HoneycombFixture {
    @Test
    void shouldMakeWhatCarriesNoVersionLookChangedAfterALossOfPower() throws IOException {
        Honeycomb honeycomb = start(catalog);
        Timestamp written = write(honeycomb, 1, "honey").getMtime();
        honeycomb.replicas().sync(target(1), false).join();
        machineStart = "second";

        disk.losePower();

        assertThat(mtime(start(catalog)))
                .isEqualTo(Instant.ofEpochSecond(written.getSeconds(), written.getNanos() + 1L));
    }

    @Test
    void shouldServeNothingThatMayBeTornAndHasToStayImmutableUntilAStartCanSeeToIt() throws IOException {
        Timestamp written = losePowerWithAnImmutableReplica();

        disk.forbidFlags(true);
        Honeycomb second = start(catalog);
        Examine examine = Examine.newBuilder().addReplicas(name(1)).build();
        assertThat(ask(second, DesktopRequest.newBuilder().setExamine(examine))
                        .getFailure()
                        .getErrno())
                .isEqualTo(Errno.EIO.number());
        assertThatThrownBy(() -> read(second, 1)).hasMessageContaining("could not be made usable");
        second.close();

        disk.forbidFlags(false);
        assertThat(mtime(start(catalog)))
                .isEqualTo(Instant.ofEpochSecond(written.getSeconds(), written.getNanos() + 1L));
    }

    @Test
    void shouldStartWithoutWhatMayBeTornAndCannotBeMarked() throws IOException {
        Timestamp written = losePowerWithAnImmutableReplica();

        disk.setFaults(operation -> operation == Operation.FLAG ? Errno.EIO : null);
        Honeycomb second = start(catalog);
        assertThatThrownBy(() -> read(second, 1)).hasMessageContaining("could not be made usable");
        disk.setFaults(_ -> null);
        second.close();

        assertThat(mtime(start(catalog)))
                .isEqualTo(Instant.ofEpochSecond(written.getSeconds(), written.getNanos() + 1L));
    }

    /** Answers its mtime. */
    private Timestamp losePowerWithAnImmutableReplica() throws IOException {
        Honeycomb first = start(catalog);
        Timestamp written = write(first, 1, "honey").getMtime();
        first.replicas().sync(target(1), false).join();
        Objects.requireNonNull(disk.mount().open(new ReplicaId(1, 0))).setImmutable(true);
        disk.losePower();
        machineStart = "second";
        return written;
    }

    @Test
    void shouldHaveOnDiskWhatWasWrittenBeforeAnOrderlyStop() throws IOException {
        Honeycomb first = start(catalog);
        write(first, 1, "honey");
        first.close();
        machineStart = "second";

        disk.losePower();

        assertThat(read(start(catalog), 1)).isEqualTo("honey");
    }

    /** Nobody asks for its removal again. */
    @Test
    void shouldNotHaveAReplicaAgainAfterALossOfPowerWhoseRemovalWasAnswered() throws IOException {
        Honeycomb honeycomb = start(catalog);
        write(honeycomb, 1, "honey");
        honeycomb.replicas().sync(target(1), false).join();

        assertThat(ask(honeycomb, drop(1)).hasFailure()).isFalse();
        disk.losePower();

        assertThat(disk.replicas()).isEmpty();
    }

    @Test
    void shouldSayThatARemovalMayNotBeOnDisk() throws IOException {
        Honeycomb honeycomb = start(catalog);
        write(honeycomb, 1, "honey");
        disk.setFaults(operation -> operation == Operation.SYNC ? Errno.EIO : null);

        assertThat(ask(honeycomb, drop(1)).getFailure().getErrno()).isEqualTo(Errno.EIO.number());
    }

    @Test
    void shouldSayWhatMayBeGoneAfterALossOfPower() throws IOException {
        long written = write(start(catalog), 1, "honey").getObservation();
        machineStart = "second";
        disk.losePower();

        assertThat(status(start(catalog), 1).getLostBelow()).isGreaterThan(written);
        assertThat(status(start(catalog), 1).getLostBelow())
                .as("the start after that still knows")
                .isGreaterThan(written);
    }

    @Test
    void shouldNotTakeForGoneWhatWasWrittenSince() throws IOException {
        start(catalog);
        machineStart = "second";
        disk.losePower();

        ReplicaStatus written = write(start(catalog), 1, "honey");

        assertThat(written.getLostBelow()).isPositive().isLessThan(written.getObservation());
    }

    @Test
    void shouldNotTakeForGoneWhatWasThereBeforeAKill() throws IOException {
        long written = write(start(catalog), 1, "honey").getObservation();

        assertThat(status(start(catalog), 1).getLostBelow()).isLessThan(written);
    }

    @Test
    void shouldNotTakeForGoneWhatAnOrderlyStopHasBroughtToDisk() throws IOException {
        Honeycomb first = start(catalog);
        long written = write(first, 1, "honey").getObservation();
        first.close();
        machineStart = "second";

        assertThat(status(start(catalog), 1).getLostBelow()).isLessThan(written);
    }

    private static ReplicaStatus status(Honeycomb honeycomb, long inode) {
        return honeycomb.replicas().statuses(List.of(target(inode))).join().getFirst();
    }
}
