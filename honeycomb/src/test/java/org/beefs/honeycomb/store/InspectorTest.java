package org.beefs.honeycomb.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.beefs.honeycomb.store.Targets.target;

import java.util.Objects;
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.InspectReplicas;
import org.beefs.common.wire.ReplicaLook;
import org.beefs.honeycomb.state.ReplicaDescription;
import org.beefs.honeycomb.state.ReplicaId;
import org.junit.jupiter.api.Test;

/** What a check sees of a honeycomb, and has repaired there. */
class InspectorTest {
    private static final ReplicaId FIVE = new ReplicaId(5, 0);

    private final StoreFixture fixture = new StoreFixture();
    private final Inspector inspector = new Inspector(
            fixture.files,
            fixture.catalog,
            new OpenReplicas(
                    fixture.files,
                    fixture.catalog,
                    4,
                    new Doubts(fixture.catalog.scrub(), new Rot(fixture.catalog), new CheckQueue(), fixture.buffers)));

    @Test
    void shouldTellOfACatalogThatSaysSomethingElseThanTheReplicaAndRepairIt() {
        fixture.write(target(5), 0, "honey");
        ReplicaDescription right = Objects.requireNonNull(fixture.catalog.find(FIVE));
        fixture.catalog.put(right.toBuilder().setVersion(9).build());

        assertThat(look(false).getCatalogDiffers()).isTrue();
        assertThat(fixture.catalog.find(FIVE)).isNotEqualTo(right);
        assertThat(look(true).getCatalogRepaired()).isTrue();

        assertThat(fixture.catalog.find(FIVE)).isEqualTo(right);
        assertThat(look(false).getCatalogDiffers()).isFalse();
    }

    @Test
    void shouldLeaveTheMarkOfARottenReplicaInTheCatalogThoughItsFileDidNotTakeIt() {
        fixture.write(target(5), 0, "honey");
        ReplicaDescription rotten = Objects.requireNonNull(fixture.catalog.find(FIVE)).toBuilder()
                .setRotten(true)
                .build();
        fixture.catalog.put(rotten);

        assertThat(look(true).getFailure().getErrno()).isEqualTo(Errno.EIO.number());

        assertThat(fixture.catalog.find(FIVE)).isEqualTo(rotten);
    }

    private ReplicaLook look(boolean repair) {
        return inspector
                .inspect(InspectReplicas.newBuilder()
                        .setLimit(10)
                        .setRepair(repair)
                        .build())
                .getFirst();
    }
}
