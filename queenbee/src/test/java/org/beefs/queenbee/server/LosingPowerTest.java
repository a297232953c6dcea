package org.beefs.queenbee.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.wire.AnsweredChange;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Register;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.MemoryStateStore;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.BeforeEach;

/** A hive of two desktops that know more than the queen-bee when she loses her power. */
abstract class LosingPowerTest {
    static final long ROOT = Namespace.ROOT;
    static final Duration GRACE = Duration.ofSeconds(6);

    record Known(TestDesktop by, AnsweredChange change) {}

    final MemoryStateStore store = new MemoryStateStore();
    final TestHive hive = new TestHive(store);
    final TestDesktop one = new TestDesktop(hive, "one").registered();
    final TestDesktop two = new TestDesktop(hive, "two").registered();
    final List<Known> known = new ArrayList<>();
    long durable;

    @BeforeEach
    void bringEverythingToDisk() {
        durable = one.ok(Ask.sync()).getDurableSequence();
        hive.holdFlushes();
    }

    /** Makes a change, and remembers it as a daemon does. */
    QueenReply change(TestDesktop desktop, QueenRequest.Builder request) {
        QueenReply reply = desktop.ok(request);
        Node node = reply.getNode();
        AnsweredChange.Builder change = AnsweredChange.newBuilder()
                .setChange(reply.getSequence())
                .setRequest(request.clone().clearSession().clearSequence().clearAcknowledged())
                .addAllNamed(reply.getNamedList())
                .setStillNamed(reply.getStillNamed());
        if (request.hasCreate()
                || request.hasMakeDirectory()
                || request.hasMakeNode()
                || request.hasMakeSymbolicLink()) {
            change.setInode(inode(node))
                    .setHoneycomb(node.getLayout().getHoneycomb())
                    .setEpoch(node.getLayout().getEpoch());
        }
        Attributes touched = reply.getTouchedCount() > 0 ? reply.getTouched(0).getAttributes() : node.getAttributes();
        if (touched.hasCtime()) {
            change.setTime(touched.getCtime());
        }
        known.add(new Known(desktop, change.build()));
        return reply;
    }

    void losePower() {
        store.losePower(_ -> 0);
        hive.restartMachine();
    }

    Register.Builder register(TestDesktop desktop) {
        return desktop.register()
                .addAllChanges(known.stream()
                        .filter(change -> change.by == desktop)
                        .map(Known::change)
                        .toList())
                .setDurable(durable);
    }

    CompletableFuture<QueenReply> begin(TestDesktop desktop, Register.Builder register) {
        return desktop.submit(QueenRequest.newBuilder().setRegister(register).build());
    }

    /** The last to come has all made again, and brought to disk. */
    void come(TestDesktop desktop) {
        begin(desktop, register(desktop));
        flush();
    }

    void flush() {
        hive.advance(Duration.ofMillis(50));
        hive.runFlushes();
    }

    Attributes look(long inode) {
        return one.ok(Ask.attributes(inode)).getNode().getAttributes();
    }

    Attributes lookUp(long directory, String name) {
        return one.ok(Ask.lookup(directory, name)).getNode().getAttributes();
    }

    static long inode(Node node) {
        return node.getAttributes().getInode();
    }
}
