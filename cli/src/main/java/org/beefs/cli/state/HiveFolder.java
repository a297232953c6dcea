package org.beefs.cli.state;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.beefs.cli.program.CommandFailure;
import org.beefs.cli.program.ExitCode;
import org.beefs.cli.state.ProcessFolder.Role;
import org.beefs.common.rpc.tcp.HiveKey;
import org.jspecify.annotations.Nullable;

/**
 * The state folder of the part of a hive that runs on this machine.
 *
 * @param path absolute
 */
public record HiveFolder(Path path) {
    private static final Pattern DESKTOP_NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");
    private static final Pattern NUMBER = Pattern.compile("\\d+");
    private static final String QUEENBEE = "queenbee";
    private static final Set<String> NOT_OF_DESKTOPS = Set.of(QUEENBEE, "lock", HiveKey.FILE);

    /** Where the manual has daemons keep their folders that the system starts. */
    private static final Path OF_SERVICES = Path.of("/var/lib/beefs");

    /** The folder that an option names, else the environment's BEEFS_STATE, else {@code .beefs} here. */
    public static HiveFolder choose(@Nullable Path option, Map<String, String> environment) {
        String fromEnvironment = environment.getOrDefault("BEEFS_STATE", "");
        if (option != null) {
            return of(option);
        }
        return fromEnvironment.isEmpty() ? found(Path.of(".beefs")) : of(Path.of(fromEnvironment));
    }

    /** One that nobody has named. Fails where somebody else may have laid it out. */
    static HiveFolder found(Path path) {
        HiveFolder folder = of(path);
        FoundFolder.check(folder.path);
        return folder;
    }

    /** Whether it is the one that commands use without an option. */
    public boolean isUsedUnnamed(Map<String, String> environment) {
        try {
            return equals(choose(null, environment));
        } catch (CommandFailure _) {
            return false;
        }
    }

    private static HiveFolder of(Path path) {
        return new HiveFolder(path.toAbsolutePath().normalize());
    }

    /** The hive's key; null if it has none. One that cannot be seen is not taken for none. */
    public @Nullable HiveKey key() {
        requireAccess(path);
        Path file = keyFile();
        try {
            return Files.notExists(file, LinkOption.NOFOLLOW_LINKS) ? null : HiveKey.read(file);
        } catch (IOException e) {
            String reason = e instanceof FileSystemException
                    ? "cannot read the hive's key in %s: %s".formatted(file, Reasons.of(e))
                    : Reasons.of(e);
            throw new CommandFailure(ExitCode.FOLDER, reason);
        }
    }

    /** Makes a key for a new hive. */
    public void makeKey() {
        try {
            HiveKey.create(keyFile());
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.FOLDER, "cannot make the hive's key: " + Reasons.of(e));
        }
    }

    private Path keyFile() {
        return path.resolve(HiveKey.FILE);
    }

    /** Fails when this user may not look into the hive's folder. */
    public ProcessFolder queenBee() {
        requireAccess(path);
        return new ProcessFolder(path.resolve(QUEENBEE), Role.QUEENBEE, QUEENBEE);
    }

    /** The folder of a desktop, whether it exists or not. */
    public ProcessFolder desktop(String name) {
        if (!DESKTOP_NAME.matcher(name).matches() || NOT_OF_DESKTOPS.contains(name)) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "'" + name + "' cannot name a desktop: use letters, digits, dots and dashes, at most 63");
        }
        requireAccess(path);
        return new ProcessFolder(path.resolve(name), Role.DESKTOP, name);
    }

    /** What may not be looked at must not pass for what is not there. */
    static void requireAccess(Path folder) {
        if (isClosed(folder)) {
            throw new CommandFailure(
                    ExitCode.FOLDER, "cannot look into %s: permission denied; run it as its owner".formatted(folder));
        }
    }

    private static boolean isClosed(Path folder) {
        return Files.isDirectory(folder) && !Files.isExecutable(folder);
    }

    /** Whether a hive was ever brought up here. */
    public boolean exists() {
        return queenBee().isKnown() || !desktops().isEmpty();
    }

    /** The failure of a command that needs a hive here. Who uses sudo without -i has lost BEEFS_STATE. */
    public CommandFailure absent() {
        return new CommandFailure(ExitCode.NOT_RUNNING, "there is no hive in %s%s".formatted(path, elsewhere()));
    }

    /** How to name another folder; empty where the usual one is meant already. */
    public String elsewhere() {
        if (path.equals(OF_SERVICES)) {
            return "";
        }
        Path likely = Files.isDirectory(OF_SERVICES) ? OF_SERVICES : Path.of("FOLDER");
        return "; is it elsewhere? Name its folder: --state %s, or BEEFS_STATE=%s".formatted(likely, likely);
    }

    /**
     * The desktops that have a configuration or ever ran here; desktop2 comes before desktop10. Fails when this user
     * may look into none of their folders; one that is closed beside his own is somebody else's.
     */
    public List<ProcessFolder> desktops() {
        if (!Files.isDirectory(path)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(path)) {
            Map<Boolean, List<ProcessFolder>> folders = entries.map(
                            entry -> entry.getFileName().toString())
                    .filter(name -> DESKTOP_NAME.matcher(name).matches() && !name.equals(QUEENBEE))
                    .map(name -> new ProcessFolder(path.resolve(name), Role.DESKTOP, name))
                    .collect(Collectors.partitioningBy(folder -> isClosed(folder.path())));
            List<ProcessFolder> known = folders.getOrDefault(false, List.of()).stream()
                    .filter(ProcessFolder::isKnown)
                    .sorted(Comparator.comparing(HiveFolder::sortKey))
                    .toList();
            if (known.isEmpty()) {
                folders.getOrDefault(true, List.of()).forEach(folder -> requireAccess(folder.path()));
            }
            return known;
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.FOLDER, "cannot read the folder " + path + ": " + Reasons.of(e));
        }
    }

    /** The name with its numbers filled up, so that they sort as numbers. */
    private static String sortKey(ProcessFolder folder) {
        return NUMBER.matcher(folder.name())
                .replaceAll(number -> "0".repeat(64 - number.group().length()) + number.group());
    }

    /** The queen-bee, if it belongs to this part of the hive, and the desktops. */
    public List<ProcessFolder> processes() {
        Stream<ProcessFolder> queenBee = queenBee().isKnown() ? Stream.of(queenBee()) : Stream.of();
        return Stream.concat(queenBee, desktops().stream()).toList();
    }
}
