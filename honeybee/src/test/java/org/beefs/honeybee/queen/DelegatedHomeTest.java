package org.beefs.honeybee.queen;

import static org.beefs.honeybee.fake.FakeHive.ROOT;
import static org.beefs.honeybee.fake.FakeHive.bytes;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.wire.Create;
import org.beefs.common.wire.MakeDirectory;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.QueenRequest.OperationCase;
import org.beefs.honeybee.fake.EmptyHoneycomb;
import org.beefs.honeybee.fake.FakeHive;
import org.beefs.honeybee.fake.FakeQueen;
import org.junit.jupiter.api.BeforeEach;

/** What tests of decided changes share: a desktop that has the delegation of a directory, and a honeycomb. */
abstract class DelegatedHomeTest {
    static final Duration WHILE = Duration.ofSeconds(3);

    /** Whatever nobody waits for is sent by then. */
    static final Duration SOON = Duration.ofMillis(20);

    /** The number of what is made first. */
    static final long FIRST = 5000;

    final FakeHive hive = new FakeHive(FakeHive.CONFIG, new EmptyHoneycomb(), null);
    final FakeQueen queen = hive.queen;
    long home;

    @BeforeEach
    void makeHome() {
        home = hive.startWithDelegatedHome(false);
        queen.requests.clear();
    }

    void letGo() {
        queen.held = OperationCase.OPERATION_NOT_SET;
        queen.letGo();
        hive.timers.runDue();
    }

    CompletableFuture<Opened> create(String name) {
        CompletableFuture<Opened> made = hive.proxy.create(
                ROOT,
                Create.newBuilder()
                        .setParent(home)
                        .setName(bytes(name))
                        .setMode(0644)
                        .setRead(true)
                        .setWrite(true));
        hive.timers.runDue();
        return made;
    }

    CompletableFuture<Node> makeDirectory(long parent, String name) {
        CompletableFuture<Node> made = hive.proxy.makeDirectory(
                ROOT,
                MakeDirectory.newBuilder()
                        .setParent(parent)
                        .setName(bytes(name))
                        .setMode(0755)
                        .build());
        hive.timers.runDue();
        return made;
    }

    long file(String name) {
        return inode(hive.get(create(name)).node());
    }

    static long inode(Node node) {
        return node.getAttributes().getInode();
    }
}
