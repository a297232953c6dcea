package org.beefs.simulator.client;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.beefs.common.posix.FileMode;
import org.beefs.honeybee.filesystem.FileSystem.OpenFlags;
import org.beefs.simulator.hive.Hive;
import org.beefs.simulator.model.Actor;
import org.beefs.simulator.model.ModelState;

/** When all is quiet: looks at everything through every mount, and then behind the scenes. */
public final class FinalLook {
    private static final Actor ROOT = Actor.of(0, 0);
    private static final OpenFlags READING = new OpenFlags(true, false, false, false, false, false);
    private static final OpenFlags CHANGING = new OpenFlags(true, true, false, false, false, false);
    private static final int WHOLE = 1 << 20;
    private static final ByteString NEW_NAME = ByteString.copyFromUtf8("last");
    private static final ByteString BYTE = ByteString.copyFromUtf8("x");

    private final History history;

    public FinalLook(History history) {
        this.history = history;
    }

    /** Lets a client change each file, and make and remove one. {@code finish} lets what was asked be answered. */
    public void changeAll(SimClient client, Runnable finish) {
        for (long inode : history.state().inodes(FileMode.REGULAR)) {
            client.issueOpen(ContentRequests.open(ROOT, inode, CHANGING), CHANGING);
            changeOpened(client, finish);
        }
        client.issueOpen(ContentRequests.create(ROOT, ModelState.ROOT, NEW_NAME, 0644, CHANGING), CHANGING);
        changeOpened(client, finish);
        client.issue(NamespaceRequests.unlink(ROOT, ModelState.ROOT, NEW_NAME));
        finish.run();
    }

    private static void changeOpened(SimClient client, Runnable finish) {
        finish.run();
        for (OpenHandle handle : List.copyOf(client.handles())) {
            client.issueWrite(ContentRequests.write(handle, 0, false, BYTE), handle);
            finish.run();
            client.issueFlush(ContentRequests.sync(handle, true), handle);
            finish.run();
            client.issueRelease(handle);
            finish.run();
        }
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
            client.handles().stream()
                    .filter(client::isCurrent)
                    .forEach(handle -> client.issue(ContentRequests.read(handle, 0, WHOLE)));
            finish.run();
            client.closeOne();
            finish.run();
        }
        for (int type : List.of(FileMode.REGULAR, FileMode.DIRECTORY)) {
            history.state().inodes(type).forEach(inode -> askXattrs(client, inode, finish));
        }
        for (long inode : history.state().inodes(FileMode.SYMBOLIC_LINK)) {
            client.issue(NamespaceRequests.readLink(ROOT, inode));
            finish.run();
        }
    }

    private void askXattrs(SimClient client, long inode, Runnable finish) {
        client.issue(NamespaceRequests.listXattrs(ROOT, inode));
        finish.run();
        for (ByteString name : history.state().xattrs(inode)) {
            client.issue(NamespaceRequests.getXattr(ROOT, inode, name));
            finish.run();
        }
    }

    /** What is not as it must be in a hive at rest, in which nothing is open. Ends the daemons. */
    public List<String> contradictions(Hive hive) {
        long inodes = hive.report().getInodes();
        Map<String, Map<Long, ByteString>> replicas = new TreeMap<>();
        hive.desktops().forEach(desktop -> replicas.put(desktop.host().name(), desktop.replicas()));
        return history.states().stream()
                .map(state -> contradictions(state, inodes, replicas))
                .min(Comparator.comparingInt(List::size))
                .orElseThrow();
    }

    private static List<String> contradictions(
            ModelState state, long inodes, Map<String, Map<Long, ByteString>> replicas) {
        List<String> wrong = new ArrayList<>();
        if (inodes != state.size()) {
            wrong.add("the queen-bee counts %d inodes, there are %d, of which have no name %s"
                    .formatted(inodes, state.size(), state.openWithoutName()));
        }
        replicas.forEach((desktop, contents) -> contents.forEach((inode, content) -> {
            ByteString expected = state.content(inode);
            if (expected == null) {
                wrong.add("%s keeps a replica of inode %d, which is gone".formatted(desktop, inode));
            } else if (!expected.equals(content)) {
                wrong.add("%s's replica of inode %d has %d bytes that are not the file's %d"
                        .formatted(desktop, inode, content.size(), expected.size()));
            }
        }));
        return wrong;
    }
}
