package org.beefs.honeybee.queen;

import static org.beefs.honeybee.fake.FakeHive.ROOT;
import static org.beefs.honeybee.fake.FakeHive.bytes;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.MakeDirectory;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.Open;
import org.beefs.honeybee.fake.FakeHive;
import org.beefs.honeybee.fake.FakeQueen;

/** What tests of sessions share: a desktop without a honeycomb that is registered. */
abstract class RegisteredDesktopTest {
    static final Duration WHILE = Duration.ofSeconds(3);

    final FakeHive hive = FakeHive.started();
    final FakeQueen queen = hive.queen;

    CompletableFuture<Node> makeDirectory(String name) {
        return hive.proxy.makeDirectory(
                ROOT, MakeDirectory.newBuilder().setName(bytes(name)).build());
    }

    CompletableFuture<Opened> open(long inode) {
        return hive.proxy.open(ROOT, Open.newBuilder().setInode(inode).setWrite(true));
    }

    long addFile(String name) {
        return queen.addFile(name, hive.honeycomb.layout(), Attributes.newBuilder());
    }
}
