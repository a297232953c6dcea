package org.beefs.queenbee.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.beefs.queenbee.journal.RocksStateStore;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.Dump;
import org.beefs.queenbee.testing.MemoryStateStore;
import org.beefs.queenbee.testing.RandomWalk;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RestartTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void shouldKnowEverythingAgainAfterARestart(long seed) {
        TestHive hive = new TestHive(new MemoryStateStore());
        TestDesktop desktop = new TestDesktop(hive, "desk").registered();
        RandomWalk walk = new RandomWalk(desktop, new Random(seed));
        for (int round = 0; round < 5; round++) {
            walk.steps(400);
            List<String> before = Dump.of(hive.queenBee().state());
            hive.restart();
            assertThat(Dump.of(hive.queenBee().state())).isEqualTo(before);
            desktop.registered();
        }
    }

    @Test
    void shouldKnowEverythingAgainFromRocksDb(@TempDir Path folder) throws IOException {
        List<String> before;
        try (RocksStateStore store = RocksStateStore.open(folder.resolve("queenbee"))) {
            TestHive hive = new TestHive(store);
            TestDesktop desktop = new TestDesktop(hive, "desk").registered();
            new RandomWalk(desktop, new Random(6)).steps(2000);
            before = Dump.of(hive.queenBee().state());
            hive.queenBee().close();
        }
        try (RocksStateStore store = RocksStateStore.open(folder.resolve("queenbee"))) {
            TestHive hive = new TestHive(store);
            assertThat(Dump.of(hive.queenBee().state())).isEqualTo(before);
            hive.queenBee().close();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13})
    void shouldKeepWhatWasSyncedWhenPowerIsLost(long seed) {
        Random random = new Random(seed);
        MemoryStateStore store = new MemoryStateStore();
        TestHive hive = new TestHive(store);
        TestDesktop desktop = new TestDesktop(hive, "desk").registered();
        RandomWalk walk = new RandomWalk(desktop, random);
        for (int round = 0; round < 20; round++) {
            walk.steps(50);
            desktop.ok(Ask.sync());
            desktop.ok(Ask.sync()); // also what the desktop was told only now, and has answered
            List<String> synced = Dump.of(hive.queenBee().state());
            boolean more = random.nextBoolean();
            if (more) {
                walk.steps(random.nextInt(20));
            }
            store.losePower(random::nextInt);
            hive.restart();
            if (!more) {
                assertThat(Dump.of(hive.queenBee().state())).isEqualTo(synced);
            }
            desktop.registered();
        }
    }
}
