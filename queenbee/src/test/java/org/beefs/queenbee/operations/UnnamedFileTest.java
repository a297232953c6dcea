package org.beefs.queenbee.operations;

import static org.assertj.core.api.Assertions.assertThat;

import org.beefs.common.posix.Errno;
import org.beefs.common.wire.CreateUnnamed;
import org.beefs.common.wire.OpenFile;
import org.beefs.common.wire.QueenRequest;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;

/** Files that are made without a name (O_TMPFILE). */
class UnnamedFileTest {
    private final TestHive hive = new TestHive();
    private final TestDesktop desktop = new TestDesktop(hive, "desk").registered();

    @Test
    void shouldGetANameOnce() {
        long inode = make(1, true);
        assertThat(links(inode)).isZero();

        desktop.ok(Ask.link(inode, Namespace.ROOT, "named"));
        assertThat(links(inode)).isEqualTo(1);

        desktop.ok(Ask.unlink(Namespace.ROOT, "named"));
        assertThat(desktop.fails(Ask.link(inode, Namespace.ROOT, "again"))).isEqualTo(Errno.ENOENT);
    }

    @Test
    void shouldGetNoNameIfItWasToHaveNone() {
        assertThat(desktop.fails(Ask.link(make(1, false), Namespace.ROOT, "named")))
                .isEqualTo(Errno.ENOENT);
    }

    @Test
    void shouldGoWithItsLastOpen() {
        long inode = make(1, true);
        desktop.ok(Ask.release(inode, 1));
        assertThat(desktop.fails(Ask.attributes(inode))).isEqualTo(Errno.ESTALE);
    }

    @Test
    void shouldOutliveTheQueenBeeAndStillGetAName() {
        long inode = make(1, true);
        hive.restart();
        desktop.register(desktop.register()
                .addOpenFiles(OpenFile.newBuilder().setInode(inode).setHandle(1).setWrite(true)));

        desktop.ok(Ask.link(inode, Namespace.ROOT, "named"));
        desktop.ok(Ask.release(inode, 1));

        assertThat(links(inode)).isEqualTo(1);
    }

    @Test
    void shouldNeedTheRightToMakeNames() {
        desktop.as(1000, 1000);
        assertThat(desktop.fails(unnamed(1, true))).isEqualTo(Errno.EACCES);
    }

    private long make(long handle, boolean linkable) {
        return desktop.ok(unnamed(handle, linkable)).getNode().getAttributes().getInode();
    }

    private static QueenRequest.Builder unnamed(long handle, boolean linkable) {
        return QueenRequest.newBuilder()
                .setCreateUnnamed(CreateUnnamed.newBuilder()
                        .setParent(Namespace.ROOT)
                        .setMode(0600)
                        .setHandle(handle)
                        .setLinkable(linkable));
    }

    private int links(long inode) {
        return desktop.ok(Ask.attributes(inode)).getNode().getAttributes().getLinks();
    }
}
