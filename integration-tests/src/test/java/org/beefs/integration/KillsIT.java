package org.beefs.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.beefs.integration.faults.WalkInBackground;
import org.beefs.integration.faults.Worker;
import org.beefs.integration.faults.Workload;
import org.beefs.integration.hive.Hive;
import org.beefs.integration.hive.Hives;
import org.beefs.integration.hive.InHive;
import org.beefs.integration.hive.Role;
import org.beefs.integration.hive.Soundness;
import org.beefs.integration.program.Await;
import org.beefs.integration.program.Length;
import org.beefs.integration.walk.Mount;
import org.beefs.integration.walk.Walk;
import org.junit.jupiter.api.Test;

/** Whatever is killed or stopped, and whenever: all that was acknowledged is there. */
@InHive
class KillsIT {
    private static final int QUEENBEE_KILLS = Length.of(4, 200);
    private static final int DESKTOP_KILLS = Length.of(2, 50);
    private static final int MOST_ACKNOWLEDGEMENTS_BETWEEN = 60;
    private static final int LONGEST_STOP_MILLIS = 1_500;
    private static final int LONGEST_ABSENCE_MILLIS = 500;

    private final SplittableRandom random = new SplittableRandom(Length.seed(11));

    @Test
    void shouldGoOnWithoutErrorsWhenTheQueenBeeIsKilled(Hives hives) throws IOException {
        Hive hive = hives.create(2);
        Path other = hive.mountOn("desktop2");
        Path remote = hive.mountOn("laptop");
        Role queenBee = hive.queenBee();
        try (Workload workload = new Workload();
                WalkInBackground walk = isExact() ? walk(hive.mount(), other) : null) {
            workload.add(new Worker(hive.mount(), "worker1", false, random.nextLong()));
            workload.add(new Worker(other, "worker2", false, random.nextLong()));
            workload.add(new Worker(remote, "worker3", false, random.nextLong()));
            for (int kill = 0; kill < QUEENBEE_KILLS; kill++) {
                workload.awaitProgress(progress());
                queenBee.kill();
                pauseUpTo(LONGEST_ABSENCE_MILLIS);
                queenBee.restart();
                if (kill % 5 == 0) {
                    stopForAWhile(queenBee, workload);
                }
            }
            workload.awaitProgress(progress());
            if (walk != null) {
                walk.end();
            }
            workload.end();
            verifyEverywhere(hive, workload, List.of(hive.mount(), other, remote));
        }
    }

    @Test
    void shouldKeepWhatWasAcknowledgedWhenADesktopIsKilled(Hives hives) {
        Hive hive = hives.create(2);
        Path other = hive.mountOn("desktop2");
        Path remote = hive.mountOn("laptop");
        Role desktop = hive.desktop(1);
        try (Workload workload = new Workload()) {
            workload.add(new Worker(hive.mount(), "worker1", true, random.nextLong()));
            workload.add(new Worker(other, "worker2", false, random.nextLong()));
            workload.add(new Worker(remote, "worker3", true, random.nextLong()));
            for (int kill = 0; kill < DESKTOP_KILLS; kill++) {
                workload.awaitProgress(progress());
                desktop.kill();
                pauseUpTo(LONGEST_ABSENCE_MILLIS);
                hive.up();
                if (kill % 3 == 0) {
                    stopForAWhile(desktop, workload);
                }
            }
            workload.awaitProgress(progress());
            workload.end();
            verifyEverywhere(hive, workload, List.of(hive.mount(), other, remote));
        }
    }

    /** Whether mounts agree at each moment, so that a walk over two of them can be compared with a model. */
    boolean isExact() {
        return true;
    }

    private WalkInBackground walk(Path first, Path second) throws IOException {
        Path root = Path.of("walk", "root");
        Files.createDirectories(first.resolve(root));
        List<Mount> mounts = List.of(new Mount("A", first.resolve(root)), new Mount("B", second.resolve(root)));
        return new WalkInBackground(new Walk(random.nextLong(), mounts));
    }

    private void stopForAWhile(Role role, Workload workload) {
        workload.awaitProgress(progress());
        role.stop();
        pauseUpTo(LONGEST_STOP_MILLIS);
        role.resume();
    }

    /** All mounts show it; and again after everything was down. Nothing is wrong with what is on disk. */
    private static void verifyEverywhere(Hive hive, Workload workload, List<Path> mounts) {
        mounts.forEach(workload::verify);
        hive.down();
        hive.up();
        workload.verify(hive.mount());
        assertThat(hive.beefs("status").runToAnyEnd().succeeded()).isTrue();
        Soundness.assertSound(hive);
    }

    private int progress() {
        return 1 + random.nextInt(MOST_ACKNOWLEDGEMENTS_BETWEEN);
    }

    private void pauseUpTo(int millis) {
        Await.pause(Duration.ofMillis(random.nextInt(millis)));
    }
}
