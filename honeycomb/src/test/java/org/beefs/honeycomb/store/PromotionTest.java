package org.beefs.honeycomb.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.honeycomb.store.StoreFixture.errnoOf;
import static org.beefs.honeycomb.store.Targets.EPOCH;
import static org.beefs.honeycomb.store.Targets.name;
import static org.beefs.honeycomb.store.Targets.ofEpoch;
import static org.beefs.honeycomb.store.Targets.target;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.Fetch;
import org.beefs.common.wire.ReplicaName;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.ReplicaTarget;
import org.beefs.common.wire.Seal;
import org.beefs.common.wire.SetTimes;
import org.beefs.common.wire.Timestamp;
import org.beefs.honeycomb.memory.MemoryDisk.Operation;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.beefs.honeycomb.state.ReplicaKind;
import org.beefs.honeycomb.store.content.Arrival;
import org.junit.jupiter.api.Test;

/** Replicas that become the primary, and those that were. */
class PromotionTest {
    private static final long LATER = EPOCH + 1;
    private static final Timestamp MTIME =
            Timestamp.newBuilder().setSeconds(4711).setNanos(12).build();

    private final StoreFixture fixture = new StoreFixture();

    @Test
    void shouldLetTheNewPrimaryBeWrittenAtItsEpochOnly() {
        arrive(7, "honey");
        assertThat(fixture.seal(List.of(moved(7)))).isNull();

        assertThat(fixture.read(ofEpoch(5, LATER))).isEqualTo("honey");
        fixture.write(ofEpoch(5, LATER), 0, "money");
        assertThat(fixture.read(ofEpoch(5, LATER))).isEqualTo("money");
        assertThat(errnoOf(() -> fixture.write(target(5), 0, "late"))).isEqualTo(Errno.ESTALE);
    }

    @Test
    void shouldShowTheMtimeOfTheCommitSoThatItCountsAsUnchanged() {
        arrive(7, "honey");
        fixture.seal(List.of(moved(7)));
        assertThat(fixture.status(ofEpoch(5, LATER)).getMtime()).isEqualTo(MTIME);
    }

    @Test
    void shouldBeThePrimaryAfterALossOfPower() {
        arrive(7, "honey");
        fixture.seal(List.of(moved(7)));
        fixture.disk.losePower();
        fixture.restart();
        assertThat(description().getKind()).isEqualTo(ReplicaKind.REPLICA_KIND_PRIMARY);
        assertThat(description().getEpoch()).isEqualTo(LATER);
    }

    @Test
    void shouldNotSayThatItIsThePrimaryWhenTheDiskFails() {
        arrive(7, "honey");
        fixture.disk.setFaults(operation -> operation == Operation.SYNC ? Errno.EIO : null);
        assertThat(fixture.seal(List.of(moved(7)))).isNotNull();
    }

    @Test
    void shouldTellTheCatalogWhatAnEarlierRequestCouldNot() {
        arrive(7, "honey");
        fixture.catalog.failWrites(true);
        assertThat(fixture.seal(List.of(moved(7)))).isNotNull();
        fixture.catalog.failWrites(false);

        assertThat(fixture.seal(List.of(moved(7)))).isNull();

        assertThat(fixture.catalog.find(new ReplicaId(5, 0))).isEqualTo(description());
        assertThat(description().getEpoch()).isEqualTo(LATER);
    }

    @Test
    void shouldRefuseToBecomeThePrimaryWithAnotherVersion() {
        arrive(6, "old");
        assertThat(Objects.requireNonNull(fixture.seal(List.of(moved(7)))).errno())
                .isEqualTo(Errno.ESTALE);
        assertThat(description().getKind()).isEqualTo(ReplicaKind.REPLICA_KIND_SECONDARY);
    }

    @Test
    void shouldRefuseToBecomeThePrimaryWhenItIsRotten() {
        arrive(7, "honey");
        verify();
        fixture.disk.flipABit(new ReplicaId(5, 0));
        verify();

        assertThat(Objects.requireNonNull(fixture.seal(List.of(moved(7)))).errno())
                .isEqualTo(Errno.ESTALE);

        assertThat(description().getRotten()).isTrue();
        assertThat(description().getKind()).isEqualTo(ReplicaKind.REPLICA_KIND_SECONDARY);
    }

    private void verify() {
        try (Verification begun =
                Objects.requireNonNull(fixture.store.verifier().begin(new ReplicaId(5, 0)))) {
            begun.read(Long.MAX_VALUE);
        }
    }

    @Test
    void shouldAnswerARepetitionAlsoWhenItWasWrittenSince() {
        arrive(7, "honey");
        fixture.seal(List.of(moved(7)));
        fixture.write(ofEpoch(5, LATER), 0, "money");

        assertThat(fixture.seal(List.of(moved(7)))).isNull();

        assertThat(fixture.read(ofEpoch(5, LATER))).isEqualTo("money");
        assertThat(description().getVersion()).isZero();
    }

    @Test
    void shouldServeAVersionAtAnyEpochToWhoNamesIt() {
        arrive(7, "honey");
        ReplicaTarget exact = ofEpoch(5, LATER).toBuilder().setExactVersion(7).build();
        assertThat(fixture.read(exact)).isEqualTo("honey");
    }

    @Test
    void shouldNotChangeAVersionForWhoNamesIt() {
        arrive(7, "honey");
        ReplicaTarget exact = target(5).toBuilder().setExactVersion(7).build();

        assertThat(errnoOf(() -> fixture.write(exact, 0, "m"))).isEqualTo(Errno.EINVAL);
        assertThat(errnoOf(() -> fixture.store.truncate(exact, 0).join())).isEqualTo(Errno.EINVAL);
        assertThat(errnoOf(() -> fixture.store
                        .setTimes(exact, SetTimes.getDefaultInstance())
                        .join()))
                .isEqualTo(Errno.EINVAL);
        assertThat(errnoOf(() -> fixture.store.pin(exact, true, false))).isEqualTo(Errno.EINVAL);
        assertThat(fixture.read(exact)).isEqualTo("honey");
    }

    @Test
    void shouldTakeAFormerPrimaryForTheVersionThatItCarries() {
        writeAndSeal(7, "honey");
        assertThat(fixture.store.arrivals().begin(fetch(7, LATER, 5), false)).isNull();
        assertThat(errnoOf(() -> fixture.store.arrivals().begin(fetch(7, EPOCH, 5), false)))
                .as("it is the primary of that epoch")
                .isEqualTo(Errno.ESTALE);
    }

    @Test
    void shouldNotSealAgainWhatAnotherVersionReplacesMeanwhile() {
        writeAndSeal(7, "honey");
        AtomicBoolean once = new AtomicBoolean(true);
        fixture.disk.setFaults(operation -> {
            if (operation == Operation.SYNC && once.getAndSet(false)) {
                arrive(fetch(8, LATER, 5), "money");
            }
            return null;
        });

        seal(7);

        assertThat(once).isFalse();
        assertThat(Objects.requireNonNull(fixture.catalog.find(new ReplicaId(5, 0)))
                        .getVersion())
                .isEqualTo(8);
    }

    @Test
    void shouldReplaceAFormerPrimaryUnlessItWasChanged() {
        writeAndSeal(7, "honey");
        Arrival arrival = Objects.requireNonNull(fixture.store.arrivals().begin(fetch(8, LATER, 5), false));
        fixture.write(target(5), 0, "M");

        assertThat(errnoOf(() -> fixture.store.arrivals().install(List.of(arrival))))
                .isEqualTo(Errno.ESTALE);
        assertThat(fixture.read(target(5))).isEqualTo("Money");
    }

    @Test
    void shouldNotDropAFormerPrimaryThatWasChanged() {
        ReplicaName later = name(5).toBuilder().setEpoch(LATER).build();
        fixture.write(target(5), 0, "only here");
        fixture.store.drop(later);
        assertThat(fixture.read(target(5))).isEqualTo("only here");

        writeAndSeal(7, "only here");
        fixture.store.drop(later);
        assertThat(fixture.disk.replicas()).isEmpty();
    }

    private ReplicaDescription description() {
        return Objects.requireNonNull(
                Objects.requireNonNull(fixture.files.open(new ReplicaId(5, 0))).description());
    }

    private void writeAndSeal(long version, String text) {
        fixture.write(target(5), 0, text);
        seal(version);
    }

    private void seal(long version) {
        ReplicaStatus committed = fixture.status(target(5));
        fixture.seal(List.of(Seal.newBuilder()
                .setReplica(name(5))
                .setVersion(version)
                .setSize(committed.getSize())
                .setMtime(committed.getMtime())
                .build()));
    }

    private static Seal moved(long version) {
        return Seal.newBuilder()
                .setReplica(name(5).toBuilder().setEpoch(LATER))
                .setVersion(version)
                .setSize(5)
                .setMtime(MTIME)
                .setMoved(true)
                .build();
    }

    private void arrive(long version, String text) {
        arrive(fetch(version, EPOCH, text.length()), text);
    }

    private void arrive(Fetch fetch, String text) {
        Arrivals arrivals = fixture.store.arrivals();
        Arrival arrival = Objects.requireNonNull(arrivals.begin(fetch, false));
        byte[] bytes = text.getBytes(UTF_8);
        ByteBuf content = Unpooled.directBuffer(bytes.length).writeBytes(bytes);
        arrival.write(0, content);
        content.release();
        arrivals.install(List.of(arrival));
        arrivals.end(arrival);
    }

    private static Fetch fetch(long version, long epoch, long size) {
        return Fetch.newBuilder()
                .setReplica(name(5).toBuilder().setEpoch(epoch))
                .setVersion(version)
                .setSize(size)
                .build();
    }
}
