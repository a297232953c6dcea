package org.beefs.honeybee.fuse.operations;

import org.beefs.common.posix.Errno;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.fuse.exchange.BufferPool;
import org.beefs.honeybee.fuse.exchange.Exchange;
import org.beefs.honeybee.fuse.exchange.Interrupts;
import org.beefs.honeybee.fuse.protocol.Body;
import org.beefs.honeybee.fuse.protocol.HiveRoot;
import org.beefs.honeybee.fuse.protocol.Reply;
import org.beefs.honeybee.mount.Opcode;
import org.beefs.honeybee.mount.RequestMeter;
import org.beefs.honeybee.trace.CallingThread;

/** Finds the operation that carries a request out. Never blocks on anything but the disk, and never throws. */
public final class Dispatcher {
    private final HiveRoot root;
    private final Interrupts interrupts;
    private final RequestMeter meter;
    private final NameOperations names;
    private final AttributeOperations attributes;
    private final XattrOperations xattrs;
    private final FileOperations files;
    private final LockOperations locks;
    private final DirectoryOperations directories;

    public Dispatcher(
            HiveRoot root,
            FileSystem fileSystem,
            KernelState kernel,
            Interrupts interrupts,
            BufferPool buffers,
            BackingFiles backings,
            RequestMeter meter) {
        this.root = root;
        this.interrupts = interrupts;
        this.meter = meter;
        OpenDirectories open = new OpenDirectories();
        this.names = new NameOperations(fileSystem, kernel, open);
        this.attributes = new AttributeOperations(fileSystem, kernel);
        this.xattrs = new XattrOperations(fileSystem, kernel.lifetimes());
        this.files = new FileOperations(fileSystem, kernel, buffers, backings);
        this.locks = new LockOperations(fileSystem);
        this.directories = new DirectoryOperations(fileSystem, kernel.lifetimes(), open);
    }

    /** Begins the operation; its answer may come before or after this returns. */
    public void dispatch(Exchange exchange, Body body) {
        try {
            Opcode opcode = Opcode.of(exchange.opcode());
            if (opcode == null) {
                // The kernel does without, and mostly asks no more: ioctl fails with ENOTTY, poll says ready.
                exchange.fail(Errno.ENOSYS);
            } else if (root.isBelow(exchange.node())) {
                lookForRoot(opcode, exchange);
            } else {
                meter.add(opcode);
                CallingThread.set(exchange.pid());
                dispatch(opcode, exchange, body);
            }
        } catch (Throwable failure) {
            exchange.fail(failure);
        }
    }

    private static void lookForRoot(Opcode opcode, Exchange exchange) {
        switch (opcode) {
            case LOOKUP -> OuterRoot.lookup(exchange);
            case GETATTR -> OuterRoot.getattr(exchange);
            default -> exchange.fail(Errno.EPERM);
        }
    }

    private void dispatch(Opcode opcode, Exchange exchange, Body body) {
        switch (opcode) {
            case LOOKUP -> names.lookup(exchange, body);
            case READLINK -> names.readlink(exchange);
            case SYMLINK -> names.symlink(exchange, body);
            case MKNOD -> names.mknod(exchange, body);
            case MKDIR -> names.mkdir(exchange, body);
            case UNLINK -> names.unlink(exchange, body);
            case RMDIR -> names.rmdir(exchange, body);
            case RENAME -> names.rename(exchange, body);
            case RENAME2 -> names.renameWithFlags(exchange, body);
            case LINK -> names.link(exchange, body);

            case GETATTR -> attributes.getattr(exchange);
            case STATX -> attributes.statx(exchange);
            case SETATTR -> attributes.setattr(exchange, body);
            case ACCESS -> attributes.access(exchange, body);
            case STATFS -> attributes.statfs(exchange);

            case GETXATTR -> xattrs.get(exchange, body);
            case SETXATTR -> xattrs.set(exchange, body);
            case LISTXATTR -> xattrs.list(exchange, body);
            case REMOVEXATTR -> xattrs.remove(exchange, body);

            case OPEN -> files.open(exchange, body);
            case CREATE -> files.create(exchange, body);
            case TMPFILE -> files.createUnnamed(exchange, body);
            case READ -> files.read(exchange, body);
            case WRITE -> files.write(exchange, body);
            case RELEASE -> files.release(exchange, body);
            case FSYNC -> files.fsync(exchange, body);
            case FALLOCATE -> files.fallocate(exchange, body);
            case COPY_FILE_RANGE -> files.copy(exchange, body, (reply, bytes) -> reply.count(bytes.intValue()));
            case COPY_FILE_RANGE_64 -> files.copy(exchange, body, Reply::offset);
            case LSEEK -> files.lseek(exchange, body);
            case FLUSH -> files.flush(exchange, body);

            case GETLK -> locks.find(exchange, body);
            case SETLK -> locks.set(exchange, body, false);
            case SETLKW -> locks.set(exchange, body, true);

            case OPENDIR -> directories.opendir(exchange);
            case READDIR -> directories.readdir(exchange, body, false);
            case READDIRPLUS -> directories.readdir(exchange, body, true);
            case RELEASEDIR -> directories.releasedir(exchange, body);
            case FSYNCDIR -> directories.fsyncdir(exchange);

            case INTERRUPT -> {
                exchange.dropped();
                interrupts.interrupted(body.int64(0));
            }
            case FORGET, BATCH_FORGET -> exchange.dropped();
            case DESTROY -> exchange.succeed();
            case INIT -> exchange.fail(Errno.EIO);
        }
    }
}
