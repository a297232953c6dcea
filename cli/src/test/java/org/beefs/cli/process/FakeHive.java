package org.beefs.cli.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.beefs.cli.control.ControlServer;
import org.beefs.cli.control.FakeDaemon;
import org.beefs.cli.state.HiveFolder;
import org.beefs.cli.state.ProcessFolder;

/** A hive on this machine whose daemons all are this process: for tools they live, and answer. */
public final class FakeHive implements AutoCloseable {
    private final HiveFolder folder;
    private final List<ControlServer> servers = new ArrayList<>();

    public FakeHive(Path folder) {
        this.folder = new HiveFolder(folder);
    }

    public FakeDaemon queenBee() {
        return start(folder.queenBee());
    }

    public FakeDaemon desktop(String name) {
        return start(folder.desktop(name));
    }

    private FakeDaemon start(ProcessFolder process) {
        showAsLiving(process);
        FakeDaemon daemon = new FakeDaemon();
        servers.add(ControlServer.open(process.control(), daemon, (_, _) -> () -> {}));
        return daemon;
    }

    /** As a daemon that does not answer. */
    public static void showAsLiving(ProcessFolder process) {
        process.create();
        try {
            Files.writeString(process.pid(), ProcessIdentity.current().toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        servers.forEach(ControlServer::close);
    }
}
