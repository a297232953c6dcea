package org.beefs.cli.command;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.beefs.cli.configuration.FreePorts;
import org.beefs.cli.configuration.HiveSetup;
import org.beefs.cli.configuration.LostQueenBee;
import org.beefs.cli.mounts.MountPlace;
import org.beefs.cli.mounts.MountTable;
import org.beefs.cli.option.DriverOption;
import org.beefs.cli.option.StateOption;
import org.beefs.cli.process.Hive;
import org.beefs.cli.process.HiveLock;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.queen.ConsoleLogin;
import org.beefs.cli.queen.RunningQueenBee;
import org.beefs.cli.state.HiveFolder;
import org.beefs.cli.state.MountMemory;
import org.beefs.cli.state.ProcessFolder;
import org.beefs.cli.state.Reasons;
import org.beefs.cli.state.WantedMount;
import org.beefs.cli.view.DaemonProgress;
import org.beefs.cli.view.Json;
import org.beefs.cli.view.Output;
import org.beefs.cli.view.RoomAdvice;
import org.beefs.cli.view.StatusCollector;
import org.beefs.cli.view.StatusReport;
import org.beefs.cli.view.Suggestions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Brings up a hive on this machine. */
@Command(
        name = "up",
        mixinStandardHelpOptions = true,
        description = {
            "Brings up a hive on this machine: a queen-bee and several desktops, each with a honeycomb, and mounts it.",
            "",
            "All that is kept goes to the state folder, with a sub-folder per process; each has a configuration file, written "
                    + "now and yours to edit. Run again, it starts and mounts only what is missing of what is set up here.",
            "",
            "Daemons of a hive that has other machines too are started by their units; up does so only where --state names the folder."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:everything runs",
            "1:something could not be started or mounted, or is started by units",
            "3:a configuration file is wrong",
            "4:an address is taken",
            "5:a folder cannot be used",
            "6:programs of different versions"
        },
        footer = {
            "",
            "Examples:",
            "  beefs up                            three desktops, mounted at ./hive on desktop1",
            "  beefs up /mnt/hive --desktops 5",
            "  beefs up --state /tmp/second here   a second hive beside the first",
            "  beefs up --json | jq -r .console.address"
        })
public final class UpCommand implements Runnable {
    private static final int DESKTOPS = 3;
    private static final int MOST_DESKTOPS = 100;

    @Mixin
    private StateOption state = new StateOption();

    @Parameters(
            arity = "0..1",
            paramLabel = "DIR",
            description =
                    "Where to mount on desktop1, or, without one, on the first. Default: where it was mounted before, else ./hive")
    private @Nullable Path directory;

    @Option(
            names = "--desktops",
            paramLabel = "N",
            description = "How many desktops the hive has at least. Default: as many as it has, 3 for a new one.")
    private @Nullable Integer desktops;

    @Mixin
    private DriverOption driver = new DriverOption();

    @Mixin
    private Output output = new Output();

    /**
     * What runs now.
     *
     * @param console how to get into it; null if it does not answer
     */
    private record UpReport(StatusReport status, @Nullable ConsoleLogin console) {}

    @Override
    public void run() {
        HiveFolder folder = state.hive();
        Units.requireNone(folder, state.isTyped(), "up", "systemctl start beefs-queenbee  or  beefs-desktop");
        Path place;
        ConsoleLogin console;
        try (HiveLock _ = HiveLock.take(folder)) {
            LostQueenBee.check(folder);
            Hive hive = new Hive(folder, System.getenv());
            try (FreePorts ports = new FreePorts(new SecureRandom())) {
                complete(folder, ports);
                start(hive, folder);
            }
            place = mountOnFirst(hive, folder);
            configured(folder).forEach(desktop -> mountAgain(hive, desktop));
            console = login();
        }
        show(new UpReport(StatusCollector.collect(folder), console), folder, place);
    }

    private void start(Hive hive, HiveFolder folder) {
        List<ProcessFolder> daemons =
                folder.processes().stream().filter(ProcessFolder::isConfigured).toList();
        try (DaemonProgress progress = output.starts(daemons.size())) {
            hive.start(daemons, progress);
        }
    }

    private void show(UpReport report, HiveFolder folder, @Nullable Path place) {
        if (output.isJson()) {
            output.say(Json.of(report));
            return;
        }
        output.say("\n" + report.status().render());
        if (report.console() != null) {
            report.console().show(output);
        }
        Optional<String> advice = RoomAdvice.of(report.status());
        advice.ifPresent(output::say);
        output.say(suggestions(folder, place, advice.isEmpty()).render());
    }

    /**
     * The hive is up also without it. Needs the lock: of two that find no account, the second would make the password
     * worthless that the first has shown.
     */
    private @Nullable ConsoleLogin login() {
        try {
            return ConsoleLogin.of(RunningQueenBee.of(state));
        } catch (CommandFailure e) {
            output.warn(Reasons.of(e));
            return null;
        }
    }

    /** As it was mounted there before, if it was. */
    private void mount(Hive hive, ProcessFolder desktop, Path path) {
        WantedMount wanted = new MountMemory(desktop.mounts()).wantedAt(path).with(driver.chosen());
        hive.mount(desktop, wanted).ifPresent(output.progress()::println);
    }

    /** What was taken away by others than beefs since the desktop has started. The hive is up also without it. */
    private void mountAgain(Hive hive, ProcessFolder desktop) {
        for (WantedMount wanted : mountsOf(desktop)) {
            try {
                hive.mount(desktop, wanted);
            } catch (CommandFailure e) {
                output.warn(Reasons.of(e));
            }
        }
    }

    /** Of a hive that is set up here already, on several machines perhaps, only what somebody asks for is added to. */
    private void complete(HiveFolder folder, FreePorts ports) {
        if (desktops != null && (desktops < 1 || desktops > MOST_DESKTOPS)) {
            throw new CommandFailure(ExitCode.USAGE, "--desktops must be from 1 to " + MOST_DESKTOPS);
        }
        HiveSetup setup = HiveSetup.of(folder);
        OptionalInt unfinished = setup.unfinished();
        if (desktops != null || !folder.exists() || unfinished.isPresent()) {
            setup.completeTo(desktops == null ? unfinished.orElse(DESKTOPS) : desktops, ports);
        }
    }

    private static List<ProcessFolder> configured(HiveFolder folder) {
        return folder.desktops().stream().filter(ProcessFolder::isConfigured).toList();
    }

    /** Of desktops that others have named, the one whose name comes first. */
    private static Optional<ProcessFolder> first(HiveFolder folder) {
        ProcessFolder usual = folder.desktop("desktop1");
        return usual.isConfigured()
                ? Optional.of(usual)
                : configured(folder).stream().findFirst();
    }

    /** Answers where it is mounted now; null if that was so before, or there is no desktop here. */
    private @Nullable Path mountOnFirst(Hive hive, HiveFolder folder) {
        Optional<ProcessFolder> first = first(folder);
        if (first.isEmpty()) {
            output.warn("no desktop is set up in " + folder.path() + ": beefs up --desktops N sets some up");
        }
        Path place = first.map(this::wantedPlace).orElse(null);
        if (place != null) {
            mount(hive, first.orElseThrow(), place);
        }
        return place;
    }

    /** Null where it is mounted on that desktop before, and nobody asks for another place. */
    private @Nullable Path wantedPlace(ProcessFolder first) {
        if (directory == null && !mountsOf(first).isEmpty()) {
            return null;
        }
        return MountPlace.resolve(directory != null ? directory : Path.of("hive"), MountTable.read());
    }

    private static Suggestions suggestions(HiveFolder folder, @Nullable Path place, boolean hasRoom) {
        Stream<Path> before = first(folder).stream()
                .flatMap(first -> mountsOf(first).stream())
                .map(WantedMount::place);
        Path mount = Stream.concat(Stream.ofNullable(place), before).findFirst().orElse(null);
        Path state = folder.isUsedUnnamed(System.getenv()) ? null : folder.path();
        ProcessFolder second = folder.desktop("desktop2");
        return new Suggestions(
                mount, state, second.isConfigured() && mountsOf(second).isEmpty(), hasRoom);
    }

    private static List<WantedMount> mountsOf(ProcessFolder desktop) {
        return new MountMemory(desktop.mounts()).list();
    }
}
