package org.beefs.integration.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.beefs.integration.program.Await;
import org.beefs.integration.program.Requires;
import org.junit.jupiter.api.Test;

/** In containers of the image that users get. */
@Requires(engine = true)
class ContainersIT extends HostScenarios {
    private static final List<String> SURVIVORS = Hosts.DESKTOPS.subList(1, Hosts.DESKTOPS.size());

    ContainersIT() {
        super(new ContainerHosts());
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
}
