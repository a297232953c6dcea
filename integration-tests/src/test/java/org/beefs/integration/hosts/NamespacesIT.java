package org.beefs.integration.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.beefs.integration.program.Await;
import org.beefs.integration.program.Requires;
import org.beefs.integration.program.Result;
import org.beefs.integration.program.RunningProgram;
import org.junit.jupiter.api.Test;

/** In namespaces of this kernel: what containers would show nothing more of. */
@Requires(programs = {"ip", "unshare", "nsenter"})
class NamespacesIT extends HostScenarios {
    NamespacesIT() {
        super(new NamespaceHosts());
    }

    @Test
    void shouldCopyToAnotherWhenASecondarysHostDiesMeanwhile() {
        String sum = run(
                        "desk1",
                        "mkdir $HIVE/copied; head -c 12M /dev/urandom >$HIVE/copied/file; sha256sum <$HIVE/copied/file")
                .output();
        Await.until(SOON, "it is being copied", () -> !incomplete("copied/file").isEmpty());
        String secondary = incomplete("copied/file").getFirst();

        hosts.kill(secondary);

        Await.until(
                SOON,
                () -> "three others have it: " + observer.places("desk1", "copied/file"),
                () -> current("copied/file").size() == REPLICAS
                        && !current("copied/file").contains(secondary));
        hosts.start(secondary);
        for (String desktop : Hosts.DESKTOPS) {
            assertThat(run(desktop, "sha256sum <$HIVE/copied/file").output()).isEqualTo(sum);
        }
        assertSoundAndClear("copied", REPLICAS);
    }

    private List<String> incomplete(String file) {
        return observer.places("desk1", file).stream()
                .filter(place -> place.endsWith("secondary stale") || place.endsWith("secondary empty"))
                .map(HostScenarios::desktop)
                .toList();
    }

    @Test
    void shouldGoOnRelocatingWhenTheQueenBeeDiesMeanwhile() {
        run("desk4", "mkdir -p $HIVE/moved/logs; for i in $(seq 30); do yes $i | head -c 64K >$HIVE/moved/$i; done");
        observer.awaitHealth();
        try (Writers writers = new Writers(hosts);
                RunningProgram _ =
                        hosts.on(Hosts.QUEEN_BEE, "beefs drain desk4").start()) {
            writers.add("desk1", "moved/logs/log");
            Await.until(SOON, "some have left", () -> observer.replicasOn("desk4") < 30);

            hosts.kill(Hosts.QUEEN_BEE);
            hosts.start(Hosts.QUEEN_BEE);

            writers.persist(10);
            run(Hosts.QUEEN_BEE, "beefs drain desk4");
            assertThat(observer.replicasOn("desk4")).isZero();
            run(Hosts.QUEEN_BEE, "beefs drain desk4 --cancel");
            writers.end();
            assertFound("moved/logs", writers);
        }
        for (String desktop : Hosts.DESKTOPS) {
            run(desktop, "for i in $(seq 30); do yes $i | head -c 64K | cmp - $HIVE/moved/$i; done");
        }
        assertSoundAndClear("moved", REPLICAS);
    }

    /** The desktop's share of its disk is full; what its kernel does when the disk itself is, shows ErrorsIT. */
    @Test
    void shouldKeepWhatWasWrittenBeforeADiskWasFull() {
        Result filling = run("desk5", """
                mkdir $HIVE/full
                n=0
                while yes $n | dd of=$HIVE/full/file bs=1M count=1 iflag=fullblock oflag=append conv=notrunc,fsync 2>$BEEFS_STATE/full; do
                  n=$((n + 1))
                done
                grep -q 'No space left' $BEEFS_STATE/full
                echo $n
                """);
        int mebibytes = Integer.parseInt(filling.output().strip());
        assertThat(mebibytes).isBetween(Roles.SMALL_MEBIBYTES / 2, Roles.SMALL_MEBIBYTES);

        run("desk5", "echo 'goes elsewhere' >$HIVE/full/more");

        for (String desktop : Hosts.DESKTOPS) {
            run(
                    desktop,
                    "for n in $(seq 0 %1$d); do yes $n | head -c 1M; done | cmp -n %2$d - $HIVE/full/file"
                            .formatted(mebibytes - 1, mebibytes << 20));
            assertThat(run(desktop, "cat $HIVE/full/more").output()).isEqualTo("goes elsewhere\n");
        }
        assertSoundAndClear("full", REPLICAS);
    }

    @Test
    void shouldServeAllFilesWhenAllDesktopsButOneAreAsleep() {
        int all = Hosts.DESKTOPS.size();
        run("desk1", "mkdir $HIVE/alone; beefs set $HIVE/alone --replicas " + all);
        for (String desktop : Hosts.DESKTOPS) {
            run(desktop, "for i in 1 2 3 4; do echo %1$s $i >$HIVE/alone/%1$s-$i; done".formatted(desktop));
        }
        observer.awaitHealth();
        List<String> others =
                Hosts.DESKTOPS.stream().filter(host -> !host.equals("desk3")).toList();

        others.forEach(hosts::cut);
        others.forEach(observer::awaitAbsence);

        List<String> lines = new ArrayList<>(Hosts.DESKTOPS.stream()
                .flatMap(host -> IntStream.rangeClosed(1, 4).mapToObj(i -> host + " " + i))
                .toList());
        assertThat(run("desk3", "cat $HIVE/alone/*").output().lines()).isEqualTo(lines);
        run("desk3", "echo written alone >$HIVE/alone/later; sync $HIVE/alone/later");
        lines.add("written alone");
        others.forEach(hosts::heal);
        others.forEach(observer::awaitReturn);
        for (String desktop : Hosts.DESKTOPS) {
            assertThat(run(desktop, "cat $HIVE/alone/*").output().lines()).isEqualTo(lines);
        }
        assertSoundAndClear("alone", all);
    }
}
