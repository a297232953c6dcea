package org.beefs.cli.view;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.beefs.cli.control.ControlClient;
import org.beefs.cli.control.DaemonStatus;
import org.beefs.cli.control.DaemonStatus.HiveSummary;
import org.beefs.cli.control.DaemonStatus.HoneycombStatus;
import org.beefs.cli.mounts.MountTable;
import org.beefs.cli.process.DaemonStopper;
import org.beefs.cli.process.ProcessIdentity;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.state.HiveFolder;
import org.beefs.cli.state.MountMemory;
import org.beefs.cli.state.ProcessFolder;
import org.beefs.cli.state.WantedMount;
import org.beefs.cli.view.StatusReport.Condition;
import org.beefs.cli.view.StatusReport.MountStatus;
import org.beefs.cli.view.StatusReport.ProcessStatus;
import org.beefs.queenbee.hive.NaturalOrder;

/** Asks every daemon of this machine, and never touches a mount. */
public final class StatusCollector {
    private static final Duration ANSWER = Duration.ofSeconds(5);

    private StatusCollector() {}

    private record Answer(ProcessFolder folder, Optional<ProcessIdentity> process, Optional<DaemonStatus> status) {
        Condition condition() {
            if (process.isEmpty()) {
                return Condition.STOPPED;
            } else if (status.isEmpty()) {
                return Condition.UNRESPONSIVE;
            }
            return status.get().connected() ? Condition.RUNNING : Condition.DISCONNECTED;
        }
    }

    public static StatusReport collect(HiveFolder hive) {
        return collect(hive, MountTable.read());
    }

    /** @param table what a daemon that does not answer has mounted is known from there */
    static StatusReport collect(HiveFolder hive, MountTable table) {
        List<CompletableFuture<Answer>> asked =
                hive.processes().stream().map(StatusCollector::begin).toList();
        List<Answer> answers = asked.stream().map(CompletableFuture::join).toList();
        return new StatusReport(
                hive.path().toString(),
                answers.stream().map(StatusCollector::process).toList(),
                honeycombs(answers),
                answers.stream().flatMap(answer -> mounts(answer, table)).toList(),
                summary(answers).orElse(null));
    }

    /** One that does not answer keeps no other waiting. */
    private static CompletableFuture<Answer> begin(ProcessFolder folder) {
        Optional<ProcessIdentity> process = DaemonStopper.living(folder);
        return process.isEmpty()
                ? CompletableFuture.completedFuture(new Answer(folder, process, Optional.empty()))
                : CompletableFuture.supplyAsync(() -> ask(folder, process), Thread::startVirtualThread);
    }

    private static Answer ask(ProcessFolder folder, Optional<ProcessIdentity> process) {
        try {
            return new Answer(folder, process, Optional.of(new ControlClient(folder).status(ANSWER)));
        } catch (IOException | CommandFailure e) {
            return new Answer(folder, process, Optional.empty());
        }
    }

    private static ProcessStatus process(Answer answer) {
        return new ProcessStatus(
                answer.folder().name(),
                answer.folder().role().word(),
                answer.condition().word(),
                answer.process().map(ProcessIdentity::pid).orElse(null),
                answer.status().map(DaemonStatus::address).orElse(null),
                answer.status().map(DaemonStatus::version).orElse(null),
                answer.folder().path().toString(),
                answer.status().map(DaemonStatus::trouble).orElse(""));
    }

    /**
     * The queen-bee knows them all, and how far behind their catalogs are; what else a desktop says of its own is
     * newer.
     */
    private static List<HoneycombStatus> honeycombs(List<Answer> answers) {
        Map<String, HoneycombStatus> byUuid = new LinkedHashMap<>();
        answers.stream()
                .flatMap(answer -> answer.status().stream())
                .flatMap(status -> status.honeycombs().stream())
                .forEach(honeycomb ->
                        byUuid.merge(honeycomb.uuid(), honeycomb, (known, newer) -> newer.withQueenBeesOf(known)));
        return inOrder(byUuid.values());
    }

    /** As people read names of desktops: the second before the tenth. */
    public static List<HoneycombStatus> inOrder(Collection<HoneycombStatus> honeycombs) {
        return honeycombs.stream()
                .sorted(Comparator.comparing(HoneycombStatus::desktop, NaturalOrder.INSTANCE))
                .toList();
    }

    private static Stream<MountStatus> mounts(Answer answer, MountTable table) {
        String desktop = answer.folder().name();
        List<String> mounted = answer.status().map(DaemonStatus::mounts).orElse(List.of());
        Map<String, Map<String, Long>> requests =
                answer.status().map(DaemonStatus::requests).orElse(Map.of());
        List<WantedMount> remembered = new MountMemory(answer.folder().mounts()).list();
        return Stream.concat(mounted.stream(), remembered.stream().map(WantedMount::path))
                .distinct()
                .map(path -> new MountStatus(
                        path,
                        desktop,
                        mounted.contains(path),
                        requests.getOrDefault(path, Map.of()),
                        remembered.stream().anyMatch(mount -> mount.path().equals(path) && mount.readOnly()),
                        table.isHive(Path.of(path))));
    }

    private static Optional<HiveSummary> summary(List<Answer> answers) {
        return answers.stream()
                .flatMap(answer -> answer.status().stream())
                .map(DaemonStatus::hive)
                .filter(Objects::nonNull)
                .findFirst();
    }
}
