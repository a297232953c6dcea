package org.beefs.integration.hosts;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.command.CreateNetworkCmd;
import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.ContainerNetwork;
import com.github.dockerjava.api.model.Device;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.Network.Ipam;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.beefs.integration.hive.StackTraces;
import org.beefs.integration.program.Await;
import org.beefs.integration.program.Program;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.wait.strategy.Wait;

/** Hosts that are containers of the image that docker/build.sh makes, with what docker/compose.yaml gives them. */
final class ContainerHosts implements Hosts {
    private static final String STATE = "/var/lib/beefs";
    private static final String MOUNT = "/mnt/hive";

    private static final Duration START = Duration.ofSeconds(60);
    private static final Duration DEATH = Duration.ofSeconds(30);

    private final DockerClient engine;
    private final Network network;
    private final Map<String, GenericContainer<?>> containers = new LinkedHashMap<>();
    private final Set<String> told = new HashSet<>();

    /** Makes the image and brings the hive up; skips the test loudly where there is no Debian to be had for it. */
    ContainerHosts() {
        Image.make();
        engine = DockerClientFactory.instance().client();
        network = Network.builder()
                .createNetworkCmdModifier(ContainerHosts::chooseAddresses)
                .build();
        containers.put(QUEEN_BEE, container(QUEEN_BEE));
        DESKTOPS.forEach(desktop -> containers.put(desktop, container(desktop)));
        try {
            containers.values().parallelStream().forEach(GenericContainer::start);
        } catch (RuntimeException | Error e) {
            keepLogs("failed-containers");
            close();
            throw e;
        }
    }

    /**
     * Addresses can be asked for only in a network whose range was chosen. Another run's differs, should it be under
     * way.
     */
    private static void chooseAddresses(CreateNetworkCmd network) {
        network.withIpam(new Ipam().withConfig(new Ipam.Config().withSubnet(address(0) + "/24")));
    }

    private static String address(int number) {
        long run = ProcessHandle.current().pid();
        return "10.%d.%d.%d".formatted(200 + run / 256 % 50, run % 256, number);
    }

    /** Hosts keep their addresses, also when they were cut off. */
    private static String address(String host) {
        return address(2 + DESKTOPS.indexOf(host) + 1);
    }

    private GenericContainer<?> container(String host) {
        return new GenericContainer<>(Image.NAME)
                .withImagePullPolicy(_ -> false)
                .withNetwork(network)
                .withNetworkAliases(host)
                .withEnv("HIVE", MOUNT)
                .withCommand(Roles.arguments(host, STATE, MOUNT).toArray(String[]::new))
                .withCreateContainerCmdModifier(create -> equip(create, host))
                .waitingFor(Wait.forLogMessage(".* is ready.*", 1).withStartupTimeout(START));
    }

    private static void equip(CreateContainerCmd create, String host) {
        HostConfig rights = Objects.requireNonNull(create.getHostConfig())
                .withDevices(Device.parse("/dev/fuse"))
                .withCapAdd(Capability.SYS_ADMIN, Capability.LINUX_IMMUTABLE)
                .withSecurityOpts(List.of("apparmor:unconfined"));
        create.withHostName(host).withIpv4Address(address(host)).withHostConfig(rights);
    }

    private String id(String host) {
        return Objects.requireNonNull(containers.get(host)).getContainerId();
    }

    @Override
    public Program on(String host, String script) {
        return Program.of("docker", "exec", id(host), "/bin/sh", "-euc", script);
    }

    @Override
    public void kill(String host) {
        engine.killContainerCmd(id(host)).exec();
        Await.until(DEATH, host + " is off", () -> !isRunning(host));
    }

    private boolean isRunning(String host) {
        return Boolean.TRUE.equals(
                engine.inspectContainerCmd(id(host)).exec().getState().getRunning());
    }

    @Override
    public void start(String host) {
        int before = timesReady(host);
        engine.startContainerCmd(id(host)).exec();
        Await.until(START, () -> host + " gets ready: " + log(host), () -> timesReady(host) > before);
    }

    private int timesReady(String host) {
        return log(host).split(" is ready", -1).length - 1;
    }

    private String log(String host) {
        return Objects.requireNonNull(containers.get(host)).getLogs();
    }

    @Override
    public void cut(String host) {
        engine.disconnectFromNetworkCmd()
                .withNetworkId(network.getId())
                .withContainerId(id(host))
                .exec();
    }

    @Override
    public void heal(String host) {
        engine.connectToNetworkCmd()
                .withNetworkId(network.getId())
                .withContainerId(id(host))
                .withContainerNetwork(new ContainerNetwork().withAliases(host).withIpv4Address(address(host)))
                .exec();
    }

    @Override
    public List<String> freshTraces() {
        return containers.keySet().stream()
                .flatMap(host -> StackTraces.traces(log(host)).stream().map(trace -> host + ": " + trace))
                .filter(told::add)
                .toList();
    }

    @Override
    public void keepLogs(String name) {
        Path kept = Path.of("target", "hives", name);
        List<String> started = new ArrayList<>(containers.keySet());
        started.removeIf(host -> Objects.requireNonNull(containers.get(host)).getContainerId() == null);
        try {
            Files.createDirectories(kept);
            for (String host : started) {
                Files.writeString(kept.resolve(host + ".log"), log(host));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        containers.values().parallelStream().forEach(GenericContainer::stop);
        network.close();
    }
}
