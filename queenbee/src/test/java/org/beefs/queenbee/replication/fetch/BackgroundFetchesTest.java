package org.beefs.queenbee.replication.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.beefs.common.config.ByteSize;
import org.beefs.common.wire.Fetched;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.queenbee.QueenBeeConfig;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.MemoryStateStore;
import org.beefs.queenbee.testing.TestConfig;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;

/** Who copies first when there is more to copy than may be copied at the same time. */
class BackgroundFetchesTest {
    private static final int FILES = 5;
    private static final QueenBeeConfig ONE_FILE_AT_A_TIME = TestConfig.withCopyBudget(new ByteSize(1));

    private final TestHive hive = new TestHive(new MemoryStateStore(), ONE_FILE_AT_A_TIME);
    private final List<String> copied = new ArrayList<>();

    @Test
    void shouldLetAllDesktopsCopyInTurn() {
        TestDesktop writer = new TestDesktop(hive, "writer").registered();
        List<TestDesktop> copiers =
                Stream.of("second", "third", "fourth").map(this::copier).toList();
        writer.ok(Ask.setXattr(Namespace.ROOT, "beefs.replicas", "4"));
        for (int i = 0; i < FILES; i++) {
            writer.createWritten("f" + i, BackgroundFetchesTest::written);
        }

        hive.advance(copiers, ONE_FILE_AT_A_TIME.timeToCoherence().multipliedBy(2));

        assertThat(copied).hasSize(3 * FILES);
        for (int turn = 0; turn < FILES; turn++) {
            assertThat(copied.subList(3 * turn, 3 * turn + 3)).containsExactlyInAnyOrder("second", "third", "fourth");
        }
    }

    private TestDesktop copier(String name) {
        TestDesktop desktop = new TestDesktop(hive, name).registered();
        desktop.setFetched(_ -> {
            copied.add(name);
            return Fetched.newBuilder().setComplete(true).build();
        });
        return desktop;
    }

    private static ReplicaStatus written(long inode) {
        return ReplicaStatus.newBuilder()
                .setInode(inode)
                .setExists(true)
                .setObservation(1)
                .setSize(100)
                .setBlocks(1)
                .build();
    }
}
