package org.beefs.simulator.client;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.beefs.common.posix.FileMode;
import org.beefs.honeybee.filesystem.FileSystem.OpenFlags;
import org.beefs.simulator.hive.Hive;
import org.beefs.simulator.model.Actor;
import org.beefs.simulator.model.ModelState;

/** When all is quiet: looks at everything through every mount, and then behind the scenes. */
public final class FinalLook {
    private static final Actor ROOT = Actor.of(0, 0);
    private static final OpenFlags READING = new OpenFlags(true, false, false, false, false);
    private static final int WHOLE = 1 << 20;

    private final History history;

    public FinalLook(History history) {
        this.history = history;
    }

    /** Asks a client for every name, attribute and byte. {@code finish} lets what was asked be answered. */
    public void askAll(SimClient client, Runnable finish) {
        List<Long> directories = new ArrayList<>(List.of(ModelState.ROOT));
        for (int i = 0; i < directories.size(); i++) {
            long directory = directories.get(i);
            client.issue(NamespaceRequests.list(ROOT, directory, 3, true));
            finish.run();
            for (ByteString name : history.state().names(directory)) {
                client.issue(NamespaceRequests.lookup(ROOT, directory, name));
                finish.run();
            }
            history.state().subdirectories(directory).forEach(directories::add);
        }
        for (long inode : history.state().inodes(FileMode.REGULAR)) {
            client.issueOpen(ContentRequests.open(ROOT, inode, READING), READING);
            finish.run();
            client.handles().forEach(handle -> client.issue(ContentRequests.read(handle, 0, WHOLE)));
            finish.run();
            client.closeOne();
            finish.run();
        }
        for (long inode : history.state().inodes(FileMode.SYMBOLIC_LINK)) {
            client.issue(NamespaceRequests.readLink(ROOT, inode));
            finish.run();
        }
    }

    /** What is not as it must be in a hive at rest, in which nothing is open. */
    public Stream<String> contradictions(Hive hive) {
        ModelState state = history.state();
        List<String> wrong = new ArrayList<>();
        if (hive.report().getInodes() != state.size()) {
            wrong.add("the queen-bee counts %d inodes, there are %d"
                    .formatted(hive.report().getInodes(), state.size()));
        }
        hive.desktops()
                .forEach(desktop -> desktop.replicas().forEach((inode, content) -> {
                    ByteString expected = state.content(inode);
                    if (expected == null) {
                        wrong.add("%s keeps a replica of inode %d, which is gone".formatted(desktop.host(), inode));
                    } else if (!expected.equals(content)) {
                        wrong.add("%s's replica of inode %d has %d bytes that are not the file's %d"
                                .formatted(desktop.host(), inode, content.size(), expected.size()));
                    }
                }));
        Map<Long, Long> places = hive.replicaCounts();
        places.forEach((inode, count) -> {
            if (count > 1) {
                wrong.add("inode %d has %d replicas".formatted(inode, count));
            }
        });
        return wrong.stream();
    }
}
