package org.beefs.integration.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.beefs.integration.program.Result;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What scenarios have in common in which something happens to the hosts of a hive while people work, of whatever kind
 * the hosts are. After each every line that was acknowledged is found, in its file or in a copy beside it, on every
 * desktop; each file has its replicas, and no disk has any that belongs to none; and no daemon has logged a stack trace
 * of BeeFS's own code. So those of a class share one hive.
 */
@TestInstance(Lifecycle.PER_CLASS)
abstract class HostScenarios {
    static final Duration SOON = Duration.ofMinutes(2);
    static final int REPLICAS = 3;

    @RegisterExtension
    final AfterTestExecutionCallback logs = this::lookAtLogs;

    final Hosts hosts;
    final Observer observer;

    HostScenarios(Hosts hosts) {
        this.hosts = hosts;
        this.observer = new Observer(hosts);
    }

    private void lookAtLogs(ExtensionContext context) {
        boolean failed = context.getExecutionException().isPresent();
        if (failed) {
            keepLogs(context);
        }
        List<String> traces = hosts.freshTraces();
        if (!failed && !traces.isEmpty()) {
            keepLogs(context);
        }
        assertThat(traces).as("stack traces in logs").isEmpty();
    }

    private void keepLogs(ExtensionContext context) {
        hosts.keepLogs(getClass().getSimpleName() + "."
                + context.getRequiredTestMethod().getName());
    }

    @AfterAll
    void close() {
        hosts.close();
    }

    List<String> current(String file) {
        return observer.places("desk1", file).stream()
                .filter(place -> place.endsWith(" current"))
                .map(HostScenarios::desktop)
                .toList();
    }

    static String desktop(String place) {
        return place.substring(0, place.indexOf(' '));
    }

    Result run(String host, String script) {
        return hosts.on(host, script).within(SOON).run();
    }

    void assertFound(String folder, Writers writers) {
        observer.awaitHealth();
        Hosts.DESKTOPS.forEach(desktop -> assertFoundOn(desktop, folder, writers));
    }

    /** What was acknowledged when it began to look. */
    void assertFoundOn(String desktop, String folder, Writers writers) {
        Set<String> missing = new TreeSet<>(writers.acknowledged(folder));
        missing.removeAll(run(desktop, "find $HIVE/%s -type f -exec cat {} +".formatted(folder))
                .output()
                .lines()
                .toList());
        assertThat(missing).as("acknowledged, and not found on " + desktop).isEmpty();
    }

    void assertSoundAndClear(String folder, int replicas) {
        observer.awaitHealth();
        observer.awaitReplicas(observer.files(folder) * replicas);
        observer.assertSound();
        run("desk1", "rm -r $HIVE/" + folder);
        observer.awaitReplicas(0);
    }
}
