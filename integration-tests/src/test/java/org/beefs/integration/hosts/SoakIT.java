package org.beefs.integration.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.beefs.integration.program.Await;
import org.beefs.integration.program.Length;
import org.beefs.integration.program.Requires;
import org.beefs.integration.program.Seldom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Hosts lose their power or their links, one or two at a time and at any moment, while programs on all desktops
 * overwrite files.
 */
@Seldom
@Requires(programs = {"ip", "unshare", "nsenter"})
class SoakIT {
    private static final int ROUNDS = Length.of(6, 400);
    private static final int ROUNDS_BETWEEN_RESTS = 5;
    private static final int MOST_FILES_BETWEEN = 20;
    private static final int LONGEST_FAULT_MILLIS = 15_000;
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /** What happens to a host; one without power needs the queen-bee to start again. */
    private record Fault(String host, boolean power) {
        void begin(Hosts hosts) {
            if (power) {
                hosts.kill(host);
            } else {
                hosts.cut(host);
            }
        }

        void end(Hosts hosts) {
            if (power) {
                hosts.start(host);
            } else {
                hosts.heal(host);
            }
        }
    }

    private final long seed = Length.seed(23);
    private final Random random = new Random(seed);
    private final List<FileMaker> makers = new ArrayList<>();
    private Hosts hosts;
    private Observer observer;
    private int faults;

    @BeforeEach
    void begin() {
        hosts = new NamespaceHosts();
        observer = new Observer(hosts);
        Hosts.DESKTOPS.forEach(desktop -> makers.add(new FileMaker(hosts, desktop)));
    }

    @AfterEach
    void end() {
        makers.forEach(FileMaker::close);
        hosts.close();
    }

    @Test
    void shouldLoseNothingWhateverHappensToTheHosts() throws IOException {
        boolean sound = false;
        try {
            for (int round = 0; round < ROUNDS; round++) {
                work();
                happen();
                if (round % ROUNDS_BETWEEN_RESTS == ROUNDS_BETWEEN_RESTS - 1) {
                    rest();
                }
            }
            work();
            rest();
            observer.assertSound();
            sound = true;
        } finally {
            if (!sound) {
                hosts.keepLogs("soak");
            }
            tell(sound);
        }
    }

    private void work() {
        makers.forEach(FileMaker::ensureRunning);
        makers.forEach(maker -> maker.awaitProgress(1 + random.nextInt(MOST_FILES_BETWEEN)));
    }

    /** Only a hive that nobody writes to becomes healthy. */
    private void rest() {
        makers.forEach(FileMaker::end);
        observer.awaitHealth();
        assertFound();
    }

    /** The queen-bee comes back first: a desktop is ready when it has spoken to her. */
    private void happen() {
        List<String> all = new ArrayList<>(Hosts.DESKTOPS);
        all.add(Hosts.QUEEN_BEE);
        Collections.shuffle(all, random);
        List<Fault> chosen = all.stream()
                .limit(1 + random.nextInt(2))
                .map(host -> new Fault(host, random.nextBoolean()))
                .sorted(Comparator.comparing(fault -> !fault.host().equals(Hosts.QUEEN_BEE)))
                .toList();
        chosen.forEach(fault -> fault.begin(hosts));
        faults += chosen.size();
        Await.pause(Duration.ofMillis(random.nextInt(LONGEST_FAULT_MILLIS)));
        chosen.forEach(fault -> fault.end(hosts));
    }

    /** Through every mount, in the file or in a copy of what a lost desktop brought back. */
    private void assertFound() {
        for (String desktop : Hosts.DESKTOPS) {
            Map<String, Set<String>> found = sums(desktop);
            makers.forEach(maker -> maker.acknowledged()
                    .forEach((file, sum) -> sum.ifPresent(content -> assertThat(found.getOrDefault(file, Set.of()))
                            .as("%s on %s, seed %d", file, desktop, seed)
                            .contains(content))));
        }
    }

    /** The checksums of each file and of its conflict copies. */
    private Map<String, Set<String>> sums(String desktop) {
        return hosts.on(desktop, "cd $HIVE && find soak -type f -exec sha256sum {} +")
                .within(PATIENCE)
                .run()
                .output()
                .lines()
                .map(line -> line.split(" {2}", 2))
                .collect(Collectors.groupingBy(
                        words -> words[1].replaceFirst("\\.conflict-.*", ""),
                        Collectors.mapping(words -> words[0], Collectors.toSet())));
    }

    /** Figures for people, in target/soak.txt. */
    private void tell(boolean sound) throws IOException {
        long files = makers.stream().mapToLong(FileMaker::done).sum();
        Files.writeString(
                Path.of("target", "soak.txt"),
                "seed %d: %d files were said to be on disk, %d faults, %s\n"
                        .formatted(seed, files, faults, sound ? "0 bytes lost" : "FAILED"));
    }
}
