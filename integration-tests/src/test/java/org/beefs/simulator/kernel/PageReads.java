package org.beefs.simulator.kernel;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.beefs.common.posix.Errno;
import org.beefs.common.rpc.Payload;
import org.beefs.common.wire.Attributes;

/**
 * read(2) of files whose content the kernel keeps. Attributes come first (FUSE_AUTO_INVAL_DATA): if size or mtime are
 * others than before, nothing that was kept is used. Then come the pages, each at its own moment, and last the end of
 * the file.
 */
final class PageReads {
    private final SimKernel kernel;
    private final PathWalk walk;
    private final Trust trust;

    PageReads(SimKernel kernel, PathWalk walk, Trust trust) {
        this.kernel = kernel;
        this.walk = walk;
        this.trust = trust;
    }

    CompletableFuture<Payload.Bytes> read(long handle, long offset, int length) {
        long inode = kernel.files().inode(handle);
        Map<Long, byte[]> gathered = new HashMap<>();
        return kernel.files()
                .through(
                        handle,
                        () -> walk.attributes(inode)
                                .thenAccept(attributes -> noteSize(inode, attributes))
                                .thenCompose(_ -> gather(handle, inode, offset, length, gathered))
                                .thenApply(_ -> cut(inode, offset, length, gathered)));
    }

    private void noteSize(long inode, Attributes attributes) {
        if (attributes.getSize() != kernel.inodes().size(inode)) {
            trust.overtaken();
        }
    }

    /** Takes what is kept, and reads the first run of pages that is not, until all are there. */
    private CompletableFuture<Void> gather(
            long handle, long inode, long offset, int length, Map<Long, byte[]> gathered) {
        long end = Math.min(offset + length, kernel.inodes().size(inode));
        for (long page = offset / Pages.SIZE; Math.max(offset, page * Pages.SIZE) < end; page++) {
            byte[] kept = gathered.containsKey(page) ? null : kernel.pages().get(inode, page);
            if (kept != null) {
                trust.remembers(kernel.isWatched());
                gathered.put(page, kept);
            } else if (!gathered.containsKey(page)) {
                long last = Math.min(
                        (end - 1) / Pages.SIZE + kernel.pagesAhead(),
                        (kernel.inodes().size(inode) - 1) / Pages.SIZE);
                return fetch(handle, inode, page, Math.toIntExact(last - page + 1))
                        .thenCompose(read -> {
                            put(read, gathered);
                            return gather(handle, inode, offset, length, gathered);
                        });
            }
        }
        return CompletableFuture.completedFuture(null);
    }

    private static void put(Map<Long, byte[]> read, Map<Long, byte[]> gathered) {
        read.forEach(gathered::putIfAbsent);
    }

    /** READ. What lies behind the end of the file is zero, and a short answer says where that is. */
    private CompletableFuture<Map<Long, byte[]>> fetch(long handle, long inode, long first, int pages) {
        long asked = kernel.inodes().version();
        long from = first * Pages.SIZE;
        int length = pages * Pages.SIZE;
        Pages.Reading reading = kernel.pages().begin(inode, first);
        return kernel.ask(fileSystem -> fileSystem.read(handle, from, length), new Answer<>() {
            @Override
            public Supplier<Map<Long, byte[]>> written(Payload.Bytes payload) {
                byte[] content = bytes(payload);
                return () -> {
                    byte[] whole = Arrays.copyOf(content, length);
                    kernel.pages().read(reading, whole);
                    if (content.length < length) {
                        kernel.inodes().cut(inode, from + content.length, asked);
                    }
                    return split(first, whole);
                };
            }

            @Override
            public Runnable failed(Errno errno) {
                return () -> kernel.pages().failed(reading);
            }
        });
    }

    private static byte[] bytes(Payload.Bytes payload) {
        byte[] bytes = ByteBufUtil.getBytes(payload.buffer());
        payload.close();
        return bytes;
    }

    private static Map<Long, byte[]> split(long first, byte[] content) {
        Map<Long, byte[]> pages = new HashMap<>();
        for (int at = 0; at < content.length; at += Pages.SIZE) {
            pages.put(first + at / Pages.SIZE, Arrays.copyOfRange(content, at, at + Pages.SIZE));
        }
        return pages;
    }

    private Payload.Bytes cut(long inode, long offset, int length, Map<Long, byte[]> pages) {
        long end = Math.min(offset + length, kernel.inodes().size(inode));
        byte[] read = new byte[Math.toIntExact(Math.max(0, end - offset))];
        for (int at = 0; at < read.length; at++) {
            byte[] page = pages.get((offset + at) / Pages.SIZE);
            if (page == null) { // the file has grown since
                return new Payload.Bytes(Unpooled.wrappedBuffer(Arrays.copyOf(read, at)));
            }
            read[at] = page[(int) ((offset + at) % Pages.SIZE)];
        }
        return new Payload.Bytes(Unpooled.wrappedBuffer(read));
    }
}
