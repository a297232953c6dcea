package org.beefs.honeybee.jnr;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.concurrent.CompletableFuture;
import jnr.ffi.Pointer;
import org.beefs.common.rpc.Payload;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.filesystem.FileSystem.OpenFlags;
import org.beefs.honeybee.filesystem.FileSystem.OpenedFile;
import org.beefs.honeybee.jnr.PathWalk.Place;
import org.beefs.honeybee.mount.LinuxFlags;
import org.beefs.honeybee.mount.Truncation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import ru.serce.jnrfuse.struct.FuseFileInfo;

/** Operations on the content of regular files. libfuse keeps the hive's handle with the open file. */
final class ContentCallbacks {
    private static final Logger LOG = LoggerFactory.getLogger(ContentCallbacks.class);

    private final FileSystem fileSystem;
    private final PathWalk walk;
    private final HandleInodes open;
    private final Platform platform;

    ContentCallbacks(FileSystem fileSystem, PathWalk walk, HandleInodes open, Platform platform) {
        this.fileSystem = fileSystem;
        this.walk = walk;
        this.open = open;
        this.platform = platform;
    }

    int open(Call call, Pointer path, Pointer file) {
        FuseFileInfo info = FuseFileInfo.of(file);
        OpenFlags flags = flags(info);
        long inode = walk.inode(call, path);
        return opened(call, info, flags, fileSystem.open(call.credentials(), inode, flags));
    }

    int create(Call call, Pointer path, int mode, Pointer file) {
        FuseFileInfo info = FuseFileInfo.of(file);
        OpenFlags flags = flags(info);
        Place place = walk.place(call, path);
        return opened(
                call,
                info,
                flags,
                fileSystem.create(call.credentials(), place.directory(), place.name(), mode, call.umask(), flags));
    }

    int read(Call call, Pointer buffer, long size, long offset, Pointer file) {
        try (Payload.Bytes content =
                call.await(fileSystem.read(FuseFileInfo.of(file).fh.get(), offset, (int) size))) {
            return copy(content.buffer(), buffer);
        }
    }

    /** Writes a copy of the content: libfuse takes its buffer back, also when the caller is waited for no longer. */
    int write(Call call, Pointer buffer, long size, long offset, Pointer file) {
        FuseFileInfo info = FuseFileInfo.of(file);
        long handle = info.fh.get();
        int flags = platform.toLinuxFlags(info.flags.get());
        byte[] content = new byte[(int) size];
        buffer.get(0, content, 0, content.length);
        call.await(fileSystem.write(
                handle, offset, Unpooled.wrappedBuffer(content), LinuxFlags.isAppend(flags), !call.isPrivileged()));
        if (LinuxFlags.isDurable(flags)) {
            call.await(fileSystem.sync(handle, true));
        }
        return content.length;
    }

    /** A program that ends with the file open looks at no failure, and must not be kept from ending. */
    int flush(Call call, Pointer file) {
        FuseFileInfo info = FuseFileInfo.of(file);
        long handle = info.fh.get();
        CompletableFuture<Void> flushed = fileSystem.flush(handle, open.inodeOf(handle), info.lock_owner.get());
        if (flushed.isDone() || !call.isCallerExiting()) {
            call.await(flushed);
        }
        return 0;
    }

    /** Answers a release at once, as close(2) does not wait for it. */
    int release(Pointer file) {
        long handle = FuseFileInfo.of(file).fh.get();
        open.closed(handle);
        fileSystem.release(handle).whenComplete((nothing, failure) -> {
            if (failure != null) {
                LOG.warn("closing a file failed: {}", failure.getMessage());
            }
        });
        return 0;
    }

    int fsync(Call call, boolean dataOnly, Pointer file) {
        call.await(fileSystem.sync(FuseFileInfo.of(file).fh.get(), dataOnly));
        return 0;
    }

    int fallocate(Call call, int mode, long offset, long length, Pointer file) {
        call.await(fileSystem.allocate(FuseFileInfo.of(file).fh.get(), mode, offset, length, !call.isPrivileged()));
        return 0;
    }

    private OpenFlags flags(FuseFileInfo info) {
        return LinuxFlags.open(platform.toLinuxFlags(info.flags.get()));
    }

    private int opened(Call call, FuseFileInfo info, OpenFlags flags, CompletableFuture<OpenedFile> opening) {
        OpenedFile file = call.await(opening);
        if (flags.truncate() && !call.isPrivileged()) {
            file = call.await(Truncation.clearPrivileges(fileSystem, call.credentials(), file));
        }
        open.opened(file.handle(), file.attributes().getInode());
        info.fh.set(file.handle());
        return 0;
    }

    private static int copy(ByteBuf content, Pointer buffer) {
        byte[] bytes = new byte[content.readableBytes()];
        content.getBytes(content.readerIndex(), bytes);
        buffer.put(0, bytes, 0, bytes.length);
        return bytes.length;
    }
}
