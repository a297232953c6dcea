package org.beefs.simulator;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.beefs.common.posix.FileMode;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.simulator.AfterPowerLoss.Waiting;
import org.beefs.simulator.Marks.Consequence;
import org.beefs.simulator.client.History;
import org.beefs.simulator.client.SimClient;
import org.beefs.simulator.client.Survey;
import org.beefs.simulator.client.Workload;
import org.beefs.simulator.hive.Hive;
import org.beefs.simulator.hive.SimDesktop;
import org.beefs.simulator.model.Invariant;
import org.beefs.simulator.model.Sight;

/**
 * A desktop is given up, and its files go on elsewhere with what was copied of them; then it comes back. What its
 * programs were told to have written is in the file or in a named copy beside it.
 */
final class Conflicts {
    /** In place of content that was copied before the desktop was lost. */
    private static final ByteString NOTHING_LOST = ByteString.copyFromUtf8("nothing lost");

    private final Hive hive;
    private final History history;
    private final List<SimClient> clients;
    private final Workload workload;
    private final Waiting waiting;
    private final RandomGenerator random;
    private final Marks marks;
    /** Content that was acknowledged on the lost desktop, of files that have moved on. */
    private final Map<Long, ByteString> acknowledged = new HashMap<>();

    Conflicts(
            Hive hive,
            History history,
            List<SimClient> clients,
            Workload workload,
            Waiting waiting,
            RandomGenerator random,
            Marks marks) {
        this.hive = hive;
        this.history = history;
        this.clients = clients;
        this.workload = workload;
        this.waiting = waiting;
        this.random = random;
        this.marks = marks;
    }

    /** Any desktop that has a honeycomb. */
    SimDesktop choose() {
        return hive.desktops().get(random.nextInt(2));
    }

    /** Some files are written and synced, at their own desktop or from elsewhere, and some of them closed. */
    void write() {
        for (long inode : history.state().inodes(FileMode.REGULAR)) {
            SimClient client = clients.get(random.nextInt(clients.size()));
            if (random.nextInt(3) > 0) {
                write(client, inode);
            }
            if (random.nextBoolean() && client.hasOpen()) {
                client.closeOne();
                waiting.until(client::isIdle, "a file cannot be closed");
            }
        }
    }

    private void write(SimClient client, long inode) {
        workload.openToWrite(client, inode);
        waiting.until(client::isIdle, "a file cannot be opened");
        workload.writeLast(client);
        waiting.until(client::isIdle, "a file cannot be written");
        workload.syncLast(client);
        waiting.until(client::isIdle, "a file cannot be synced");
    }

    /** Programs there go on with what they use past their daemon, of which nobody hears. */
    void writePast(SimDesktop desktop) {
        SimClient client = clients.get(hive.desktops().indexOf(desktop));
        for (int left = random.nextInt(5); left > 0; left--) {
            workload.nextUnheard(client);
        }
    }

    /** The desktop's daemon dies or not; all others do, and begin again when its files have moved on. */
    void giveUp(SimDesktop desktop) {
        boolean dies = random.nextBoolean();
        if (dies) {
            desktop.kill();
        }
        Map<Long, ByteString> moved = hive.moveOn(desktop);
        clients.stream()
                .filter(client ->
                        dies || clients.indexOf(client) != hive.desktops().indexOf(desktop))
                .forEach(SimClient::died);
        moved.forEach((inode, content) -> {
            ByteString was = history.state().content(inode);
            if (was != null) {
                history.note("inode %d moves on%s".formatted(inode, was.equals(content) ? "" : ", without changes"));
                acknowledged.put(inode, was.equals(content) ? NOTHING_LOST : was);
                if (!was.equals(content)) {
                    marks.add(Consequence.MOVED_ON);
                }
                history.happen(state -> state.setContent(inode, content));
            }
        });
        waiting.until(() -> hive.isReadyWithout(List.of(desktop)), "the others do not come up");
    }

    /** Some of what has moved is written. */
    void writeElsewhere(SimDesktop desktop) {
        SimClient client = clients.get(1 - hive.desktops().indexOf(desktop));
        for (long inode : new TreeMap<>(acknowledged).keySet()) {
            if (random.nextBoolean() && history.state().content(inode) != null) {
                write(client, inode);
                client.closeOne();
                waiting.until(client::isIdle, "a file that has moved on cannot be closed");
            }
        }
    }

    /** To be called when the desktop has been back for long enough. */
    void check(SimDesktop desktop) {
        FileSystem system = hive.desktops().getLast().fileSystem();
        Survey survey = new Survey(system);
        waiting.until(survey::isDone, "the hive cannot be looked at");
        Map<String, Sight> copies = new TreeMap<>(survey.sights());
        copies.keySet().removeAll(history.state().sights().keySet());
        copies.keySet().removeIf(path -> {
            boolean isCopy = path.contains(".conflict-" + desktop.host().name() + "-");
            if (!isCopy) {
                history.fail(Invariant.POSIX, path + " has come out of nowhere");
            }
            return !isCopy;
        });
        Map<Long, List<String>> names = new TreeMap<>();
        history.state()
                .sights()
                .forEach((path, sight) -> names.computeIfAbsent(sight.inode(), _ -> new ArrayList<>())
                        .add(path));
        names.forEach((inode, paths) -> {
            ByteString mustBe = acknowledged.get(inode);
            if (mustBe != null) {
                checkKept(system, paths, inode, mustBe, copies);
            }
        });
    }

    /** What a file with these names has lost is in the file, or in a copy beside one of them. */
    private void checkKept(
            FileSystem system, List<String> names, long inode, ByteString mustBe, Map<String, Sight> copies) {
        ByteString present = read(system, inode);
        if (!present.equals(history.state().content(inode))) {
            history.fail(
                    Invariant.NOTHING_STALE, "%s has other content than was written after it moved".formatted(names));
        }
        if (mustBe.equals(NOTHING_LOST) || mustBe.equals(present)) {
            return;
        }
        boolean isKept = copies.entrySet().stream()
                .filter(copy -> names.stream().anyMatch(name -> copy.getKey().startsWith(name + ".conflict-")))
                .anyMatch(copy -> read(system, copy.getValue().inode()).equals(mustBe));
        if (isKept) {
            marks.add(Consequence.KEPT_AS_COPY);
        } else {
            history.fail(
                    Invariant.NOTHING_DROPPED,
                    "%d bytes of %s were acknowledged, and are neither there nor beside it: %s"
                            .formatted(mustBe.size(), names, copies.keySet()));
        }
    }

    private ByteString read(FileSystem system, long inode) {
        CompletableFuture<ByteString> content = Survey.content(system, inode);
        waiting.until(content::isDone, "a file cannot be read");
        return content.join();
    }
}
