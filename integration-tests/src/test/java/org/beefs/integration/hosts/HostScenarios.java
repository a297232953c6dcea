package org.beefs.integration.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.beefs.integration.program.Await;
import org.beefs.integration.program.Result;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What happens to the hosts of a hive while people work, of whatever kind the hosts are. After each scenario every line
 * that was acknowledged is found, in its file or in a copy beside it, on every desktop; each file has its replicas, and
 * no disk has any that belongs to none. So all scenarios share one hive.
 */
@TestInstance(Lifecycle.PER_CLASS)
abstract class HostScenarios {
    static final Duration SOON = Duration.ofMinutes(2);
    static final int REPLICAS = 3;
    private static final List<String> SURVIVORS = Hosts.DESKTOPS.subList(1, Hosts.DESKTOPS.size());

    @RegisterExtension
    final AfterTestExecutionCallback logs = context -> {
        if (context.getExecutionException().isPresent()) {
            keepLogs(getClass().getSimpleName() + "."
                    + context.getRequiredTestMethod().getName());
        }
    };

    final Hosts hosts;
    final Observer observer;

    HostScenarios(Hosts hosts) {
        this.hosts = hosts;
        this.observer = new Observer(hosts);
    }

    private void keepLogs(String name) {
        hosts.keepLogs(name);
    }

    @AfterAll
    void close() {
        hosts.close();
    }

    @Test
    void shouldKeepWhatTenWritersWereToldWhenThePrimarysHostDies() {
        run("desk1", "mkdir -p $HIVE/ten/own; echo begun >$HIVE/ten/shared; beefs set $HIVE/ten/own --p-factor 2");
        run("desk1", "for host in 1 2 3 4 5; do echo begun >$HIVE/ten/own/desk$host; done");
        try (Writers writers = new Writers(hosts)) {
            Hosts.DESKTOPS.forEach(host -> {
                writers.add(host, "ten/shared");
                writers.add(host, "ten/own/" + host);
            });
            writers.awaitProgress(10);

            hosts.kill("desk1");

            writers.awaitEnd("desk1");
            giveUp("desk1");
            writers.persist(10);
            SURVIVORS.forEach(host -> assertFoundOn(host, "ten/own", writers));
            hosts.start("desk1");
            writers.add("desk1", "ten/own/desk1");
            writers.persist(10);
            writers.end();
            assertFound("ten", writers);
        }
        assertSoundAndClear("ten", REPLICAS);
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

    @Test
    void shouldKeepWhatADesktopWroteThatWasCutOff() {
        run("desk2", "mkdir $HIVE/cut; echo begun >$HIVE/cut/shared");
        observer.awaitHealth();
        try (Writers writers = new Writers(hosts)) {
            writers.add("desk2", "cut/shared").awaitProgress(1); // before others open it: they would get the primary
            writers.add("desk3", "cut/shared");
            writers.add("desk4", "cut/other");
            writers.awaitProgress(10);

            hosts.cut("desk2");

            writers.awaitEnd("desk2");
            giveUp("desk2");
            awaitPromotion("desk3", "cut/shared", "desk2");
            writers.persist(10);
            hosts.heal("desk2");
            observer.awaitReturn("desk2");
            writers.add("desk2", "cut/shared");
            writers.persist(10);
            writers.end();
            awaitConflictCopy("desk5", "cut", "shared.conflict-desk2-");
            assertFound("cut", writers);
        }
        assertSoundAndClear("cut", REPLICAS);
    }

    @Test
    void shouldFollowAUserFromDeskToDesk() {
        run("desk1", "mkdir $HIVE/user; echo at desk1 >$HIVE/user/thesis");
        observer.awaitHealth();
        List<String> lines = new ArrayList<>(List.of("at desk1"));
        for (String desk : current("user/thesis").reversed()) {
            run(desk, "echo at %s >>$HIVE/user/thesis; sync $HIVE/user/thesis".formatted(desk));
            lines.add("at " + desk);
            assertThat(observer.places(desk, "user/thesis").getFirst()).startsWith(desk + " primary");
            for (String desktop : Hosts.DESKTOPS) {
                assertThat(run(desktop, "cat $HIVE/user/*").output().lines()).isEqualTo(lines);
            }
            observer.awaitHealth();
        }
        assertSoundAndClear("user", REPLICAS);
    }

    Result run(String host, String script) {
        return hosts.on(host, script).within(SOON).run();
    }

    /** What exists on that desktop only is not waited for any more. */
    private void giveUp(String desktop) {
        observer.awaitAbsence(desktop);
        run(Hosts.QUEEN_BEE, "beefs lost " + desktop);
    }

    /** Another desktop than the given one has the primary: what it writes from now on, that one will lack. */
    private void awaitPromotion(String desktop, String file, String former) {
        Await.until(SOON, former + " is not the primary of " + file + " any more", () -> {
            List<String> places = observer.places(desktop, file);
            return !places.isEmpty() && !places.getFirst().startsWith(former + " ");
        });
    }

    /** Health does not tell of it: the desktop that comes back first lists what it has, and then copies it. */
    private void awaitConflictCopy(String desktop, String folder, String name) {
        Await.until(
                SOON,
                name + " is seen by " + desktop,
                () -> run(desktop, "ls $HIVE/" + folder).output().contains(name));
    }

    void assertFound(String folder, Writers writers) {
        observer.awaitHealth();
        Hosts.DESKTOPS.forEach(desktop -> assertFoundOn(desktop, folder, writers));
    }

    /** What was acknowledged when it began to look. */
    private void assertFoundOn(String desktop, String folder, Writers writers) {
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
