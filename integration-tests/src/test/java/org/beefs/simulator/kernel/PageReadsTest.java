package org.beefs.simulator.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import java.lang.reflect.Proxy;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.beefs.common.rpc.Payload;
import org.beefs.common.wire.Attributes;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.filesystem.FileSystem.OpenFlags;
import org.beefs.honeybee.filesystem.Lifetimes;
import org.beefs.honeybee.fuse.notification.KeptPages;
import org.beefs.simulator.world.SimHost;
import org.beefs.simulator.world.SimProcess;
import org.beefs.simulator.world.SimScheduler;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The model must read pages when Linux reads them, and not otherwise: a READ tells it where a file ends. */
class PageReadsTest {
    private static final long INODE = 7;
    private static final long HANDLE = 1;
    private static final int SIZE = 100;
    private static final long SECOND = 1_000_000_000;

    private final Random random = new Random(1);
    private final SimScheduler scheduler = new SimScheduler(random);
    private final SimHost host = new SimHost("desktop", 1, scheduler, 0, 0);
    private final Trust trust = new Trust();
    private final SimKernel kernel = new SimKernel(
            scheduler,
            host,
            new SimProcess("daemon", host, scheduler, random),
            random,
            fileSystem(),
            null,
            true,
            Flaw.NONE,
            UnaryOperator.identity());
    private final PageReads reads = new PageReads(kernel, new PathWalk(kernel, trust), trust);
    private int asked;

    @BeforeEach
    void open() {
        OpenFlags reading = new OpenFlags(true, false, false, false, false, false);
        kernel.files().take(INODE, HANDLE, reading, KeptPages.Use.FRESH);
        kernel.inodes()
                .take(Attributes.newBuilder().setInode(INODE).setSize(SIZE).build(), 10 * SECOND);
    }

    @Test
    void shouldReadThePageThatTheFileEndsIn() {
        assertThat(read(SIZE - 1, 10)).isEqualTo(1);
        assertThat(asked).isEqualTo(1);
    }

    /** As filemap_read does, which looks at the size before it looks for a page. */
    @Test
    void shouldReadNothingWhereItKnowsThatTheFileHasEnded() {
        assertThat(read(SIZE, 10)).isZero();
        assertThat(asked).isZero();
    }

    /** Answers how many bytes a program gets. */
    private long read(long offset, int length) {
        CompletableFuture<Payload.Bytes> read = reads.read(HANDLE, offset, length);
        scheduler.runFor(SECOND);
        return read.join().length();
    }

    /** Has one file, which it can only be asked to read. */
    private FileSystem fileSystem() {
        return (FileSystem) Proxy.newProxyInstance(
                PageReadsTest.class.getClassLoader(), new Class<?>[] {FileSystem.class}, (_, method, _) -> {
                    if (method.getName().equals("attach")) {
                        return Lifetimes.NONE;
                    }
                    assertThat(method.getName()).isEqualTo("read");
                    asked++;
                    return CompletableFuture.completedFuture(new Payload.Bytes(Unpooled.wrappedBuffer(new byte[SIZE])));
                });
    }
}
