package org.beefs.queenbee.console;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.beefs.common.config.Addresses;
import org.beefs.common.metrics.OperationTimes;
import org.beefs.common.rpc.tcp.TcpNetwork;
import org.beefs.common.time.Clock;
import org.beefs.common.time.ProductionOnly;
import org.beefs.common.time.Timers;
import org.beefs.common.wire.QueenRequest.OperationCase;
import org.beefs.queenbee.console.api.Api;
import org.beefs.queenbee.console.login.Accounts;
import org.beefs.queenbee.console.login.Logins;
import org.beefs.queenbee.console.login.WebSessions;
import org.beefs.queenbee.console.model.ConsoleModel;
import org.beefs.queenbee.console.model.drill.Drills;
import org.beefs.queenbee.console.settings.SettingsFile;
import org.beefs.queenbee.console.web.WebServer;
import org.beefs.queenbee.journal.DiskSpace;
import org.beefs.queenbee.recovery.RemoteCatalogs;
import org.beefs.queenbee.server.NamespaceAccess;
import org.beefs.queenbee.server.QueenBeeServer;
import org.beefs.queenbee.wake.WakeOnLan;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The console: a model of the hive, the REST interface, and unless it is off the web server. Without the latter the
 * REST interface still answers the command line. Thread-safe.
 */
@ProductionOnly
public final class Console implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Console.class);

    private final ExecutorService executor = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("beefs-console-", 0).factory());
    private final ExecutorService drills = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("beefs-drill").daemon().factory());
    private final ConsoleModel model;
    private final Api api;
    private volatile @Nullable WebServer web;

    private Console(World world, ConsoleConfig config, SettingsFile settings) throws IOException {
        Path folder = Files.createDirectories(
                world.folder.resolve("console"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        SecureRandom random = new SecureRandom();
        model = new ConsoleModel(
                world.queenBee,
                world.times,
                folder,
                world.clock,
                world.timers,
                executor,
                new WakeOnLan(),
                drill(world),
                world.ownDisk);
        Accounts accounts = new Accounts(folder, world.clock, random);
        WebSessions sessions = new WebSessions(world.clock, random, config.session());
        api = new Api(model, accounts, sessions, settings, this::address);
        Logins logins = new Logins(accounts, sessions, world.clock, time -> pause(world.timers, time));
        model.start();
        WebServer.Parts parts = new WebServer.Parts(
                world.hive, model, world.times, api, accounts, sessions, logins, settings, world.clock);
        config.address().ifPresent(address -> listen(address, config.mayMove(), parts));
    }

    private Drills.World drill(World world) {
        Runtime runtime = Runtime.getRuntime();
        return new Drills.World(
                () -> new RemoteCatalogs(world.network.another(1), world.timers, world.clock, QueenBeeServer.hello()),
                drills,
                time -> pause(world.timers, time),
                () -> runtime.maxMemory() - runtime.totalMemory() + runtime.freeMemory());
    }

    private static void pause(Timers timers, Duration time) throws InterruptedException {
        CountDownLatch over = new CountDownLatch(1);
        timers.schedule(time, over::countDown);
        over.await();
    }

    /** Opens the web server; commands are answered also when that fails. */
    private void listen(InetSocketAddress address, boolean mayMove, WebServer.Parts parts) {
        try {
            WebServer opened = WebServer.open(address, mayMove, parts, executor);
            web = opened;
            LOG.info("the console is at http://{}/", Addresses.format(opened.address()));
        } catch (IOException | RuntimeException e) {
            LOG.error("the console cannot listen at {}: {}", Addresses.format(address), e.toString());
        }
    }

    /**
     * What the console is made of.
     *
     * @param hive its id, in hexadecimal digits
     * @param times of what desktops ask the queen-bee
     * @param folder of the queen-bee; the console's own files are in one within
     * @param network that of the queen-bee
     * @param ownDisk the one with the queen-bee's state, as last seen
     */
    public record World(
            String hive,
            NamespaceAccess queenBee,
            OperationTimes<OperationCase> times,
            Path folder,
            Clock clock,
            Timers timers,
            TcpNetwork network,
            Supplier<DiskSpace> ownDisk) {}

    /** Opens it for a queen-bee that serves. Fails with one line for people. */
    public static Console open(World world, ConsoleConfig config, SettingsFile settings) throws IOException {
        return new Console(world, config, settings);
    }

    public Api api() {
        return api;
    }

    /** Where browsers find it; nothing if it is off. */
    public Optional<String> address() {
        WebServer opened = web;
        return opened == null ? Optional.empty() : Optional.of("http://" + Addresses.format(opened.address()) + "/");
    }

    @Override
    public void close() {
        model.close();
        WebServer opened = web;
        if (opened != null) {
            opened.close();
        }
        executor.shutdownNow();
        drills.shutdownNow();
    }
}
