package org.beefs.honeybee.fuse;

import com.google.protobuf.ByteString;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import org.beefs.common.linux.Libc;
import org.beefs.common.posix.FileMode;
import org.beefs.common.rpc.Payload;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Credentials;
import org.beefs.honeybee.filesystem.AttributeChange;

/**
 * Names and attributes in memory, contents in files of a folder, which the driver may have; counts what goes through
 * it.
 */
final class BackedFileSystem extends MemoryFileSystem implements AutoCloseable {
    private record Content(FileChannel channel, int descriptor) {}

    /** What went through the driver: opcodes in lower case. */
    final List<String> requests = new CopyOnWriteArrayList<>();

    /** Handles for which the driver was given a file because it needed one. */
    final Set<Long> required = ConcurrentHashMap.newKeySet();

    /** Whether the driver gets files that it does not need. */
    volatile boolean offers = true;

    /** Whether what is open past the driver has to be read through it by whoever opens it anew. */
    volatile boolean moved;

    private final Path folder;
    private final Map<Long, Content> contents = new ConcurrentHashMap<>();

    BackedFileSystem(Executor executor, Path folder) throws IOException {
        super(executor);
        this.folder = Files.createDirectories(folder);
    }

    @Override
    public OptionalInt backingFile(long handle, boolean needed) {
        if (needed) {
            required.add(handle);
        }
        return !moved && (needed || offers)
                ? OptionalInt.of(content(inodeOf(handle)).descriptor())
                : OptionalInt.empty();
    }

    @Override
    public CompletableFuture<Attributes> lookup(Credentials caller, long directory, ByteString name) {
        return super.lookup(caller, directory, name).thenApply(this::withSize);
    }

    @Override
    public CompletableFuture<Attributes> getAttributes(long inode) {
        return super.getAttributes(inode).thenApply(this::withSize);
    }

    @Override
    public CompletableFuture<Attributes> setAttributes(Credentials caller, long inode, AttributeChange change) {
        Long size = change.size();
        if (size != null) {
            doing(() -> {
                FileChannel channel = content(inode).channel();
                channel.truncate(size);
                if (channel.size() < size) {
                    channel.write(ByteBuffer.allocate(1), size - 1);
                }
            });
        }
        return super.setAttributes(caller, inode, change).thenApply(this::withSize);
    }

    @Override
    public CompletableFuture<OpenedFile> open(Credentials caller, long inode, OpenFlags flags) {
        if (flags.truncate()) {
            doing(() -> content(inode).channel().truncate(0));
        }
        return super.open(caller, inode, flags);
    }

    @Override
    public CompletableFuture<Payload.Bytes> read(long handle, long offset, int length) {
        requests.add("read");
        ByteBuffer room = ByteBuffer.allocateDirect(length);
        doing(() -> content(inodeOf(handle)).channel().read(room, offset));
        return CompletableFuture.completedFuture(new Payload.Bytes(Unpooled.wrappedBuffer(room.flip())));
    }

    @Override
    public CompletableFuture<Void> write(
            long handle, long offset, ByteBuf bytes, boolean append, boolean clearPrivileges) {
        requests.add("write");
        doing(() -> {
            FileChannel channel = content(inodeOf(handle)).channel();
            channel.write(bytes.nioBuffer(), append ? channel.size() : offset);
        });
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Void> allocate(long handle, int mode, long offset, long length, boolean clearPrivileges) {
        requests.add("fallocate");
        try (Arena arena = Arena.ofConfined()) {
            int descriptor = Libc.open(arena.allocateFrom(path(inodeOf(handle)).toString()), 2, 0);
            Libc.fallocate(descriptor, mode, offset, length);
            Libc.close(descriptor);
        }
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Void> sync(long handle, boolean dataOnly) {
        requests.add("fsync");
        doing(() -> content(inodeOf(handle)).channel().force(!dataOnly));
        return CompletableFuture.completedFuture(null);
    }

    /** The content of the only file. */
    Path onlyContent() {
        return path(contents.keySet().stream().findAny().orElseThrow());
    }

    @Override
    public void close() throws IOException {
        for (Content content : contents.values()) {
            content.channel().close();
            Libc.close(content.descriptor());
        }
    }

    private Attributes withSize(Attributes attributes) {
        if (!FileMode.isRegular(attributes.getMode())) {
            return attributes;
        }
        long[] size = {0};
        doing(() -> size[0] = content(attributes.getInode()).channel().size());
        return attributes.toBuilder().setSize(size[0]).build();
    }

    private Content content(long inode) {
        return contents.computeIfAbsent(inode, number -> {
            Path path = path(number);
            List<FileChannel> opened = new ArrayList<>();
            doing(() -> opened.add(FileChannel.open(
                    path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)));
            try (Arena arena = Arena.ofConfined()) {
                return new Content(opened.getFirst(), Libc.open(arena.allocateFrom(path.toString()), 0, 0));
            }
        });
    }

    private Path path(long inode) {
        return folder.resolve(Long.toString(inode));
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void doing(Work work) {
        try {
            work.run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
