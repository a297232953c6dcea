package org.beefs.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.beefs.integration.manual.Machine;
import org.beefs.integration.manual.Manual;
import org.beefs.integration.manual.Manual.Block;
import org.beefs.integration.program.Folders;
import org.beefs.integration.program.Program;
import org.beefs.integration.program.Requires;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the manual for administrators says works: all commands in their order, on five desktops and a server. */
@Requires
class OperationsIT {
    private static final List<String> DESKTOPS =
            IntStream.rangeClosed(1, 5).mapToObj(number -> "desk" + number).toList();

    private final Manual manual = Manual.read();
    private final Path base = Folders.create("manual");

    /** Those of this machine, by those of the manual. */
    private final Map<String, String> addresses = new LinkedHashMap<>();

    private final Map<String, Machine> machines = new LinkedHashMap<>();

    @AfterEach
    void endAll() {
        machines.values().forEach(Machine::close);
        Folders.delete(base);
    }

    @Test
    void shouldDoWhatTheManualSays() {
        addresses.put("bees.example.org:7411", freeAddress());
        DESKTOPS.forEach(desktop -> {
            addresses.put(desktop + ".example.org:7412", freeAddress());
            addresses.put(desktop + ".example.org:9411", freeAddress());
        });
        Stream.concat(Stream.of("server"), DESKTOPS.stream()).forEach(this::make);

        for (Block block : manual.blocks()) {
            List<Machine> places = places(block.place());
            places.forEach(machine -> machine.follow(block));
            places.forEach(Machine::await);
        }

        String described = read(Folders.repository().resolve("docs/METRICS.md"));
        assertThat(metrics("desk1"))
                .hasSizeGreaterThan(15)
                .allSatisfy(metric -> assertThat(described).contains(metric));
        assertThat(base.resolve("desk1/hive/projects/first")).isNotEmptyFile();
        Path backups = base.resolve("desk1/backups/beefs");
        assertThat(backups).isDirectoryContaining("glob:**/hive-*.tar");
        assertThat(rights(backups)).as("who reaches everybody's files").isEqualTo("rwx------");

        Objects.requireNonNull(machines.get("desk1")).killAndStart("beefs-desktop");
        assertThat(Program.of("cat", base.resolve("desk1/hive/.beefs/stats").toString())
                        .run()
                        .output())
                .as("what is mounted when the unit counts as started")
                .isNotEmpty();
    }

    /** The names of those that are BeeFS's own. */
    private Set<String> metrics(String desktop) {
        String url = "http://" + addresses.get(desktop + ".example.org:9411") + "/metrics";
        return Program.of("curl", "--silent", "--fail", url)
                .run()
                .output()
                .lines()
                .filter(line -> line.startsWith("# TYPE beefs_"))
                .map(line -> line.split(" ", -1)[2])
                .collect(Collectors.toSet());
    }

    private List<Machine> places(String place) {
        return place.equals("desktops") ? DESKTOPS.stream().map(machines::get).toList() : List.of(machines.get(place));
    }

    private void make(String name) {
        machines.put(name, new Machine(name, base.resolve(name), text -> real(text, name)));
    }

    /** Each machine listens on all addresses, and all of them are this one: the port says which is meant. */
    private String real(String text, String machine) {
        String name = (machine.equals("server") ? "bees" : machine) + ".example.org:";
        String own = text;
        for (Map.Entry<String, String> address : addresses.entrySet()) {
            String everywhere = address.getKey().replace(name, "0.0.0.0:");
            own = own.replace(address.getKey(), address.getValue())
                    .replace(everywhere, address.getValue().replace("127.0.0.1", "0.0.0.0"));
        }
        return own;
    }

    private static String freeAddress() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return "127.0.0.1:" + socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String rights(Path folder) {
        try {
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(folder));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
