package org.beefs.honeybee.jnr;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import jnr.ffi.BaseStruct.Func;
import jnr.ffi.Memory;
import jnr.ffi.Pointer;
import jnr.ffi.Runtime;
import jnr.ffi.Struct;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.Failures;
import org.beefs.common.posix.PosixException;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.mount.Callers;
import org.beefs.honeybee.mount.Opcode;
import org.beefs.honeybee.mount.RequestMeter;
import org.beefs.honeybee.trace.CallingThread;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import ru.serce.jnrfuse.struct.FuseContext;
import ru.serce.jnrfuse.struct.FuseOperations;

/** The callbacks of one mount: libfuse's operations, each carried out by the inode-level file system. Thread-safe. */
final class Adapter implements Call.Session {
    private static final Logger LOG = LoggerFactory.getLogger(Adapter.class);

    /**
     * Bits of the operations' flags: files that lost their name keep working, no paths for open files, times may be
     * left out.
     */
    private static final int NULL_PATH_OK = 1;

    private static final int NO_PATH = 1 << 1;
    private static final int UTIME_OMIT_OK = 1 << 2;

    /** Offset in {@code struct fuse_conn_info} of what the driver wants, and the kernel's offer before it. */
    private static final int CONNECTION_CAPABLE = 20;

    private static final int CONNECTION_WANT = 24;
    private static final int CAP_DONT_MASK = 1 << 6;

    private final LibFuse2 library;
    private final Platform platform;
    private final Callers callers;
    private final RequestMeter meter = new RequestMeter();
    private final LibFuseRequest request = new LibFuseRequest();
    private final FuseOperations operations;
    private final Pointer memory;

    /** The struct by which libfuse knows this mount; set when it begins. */
    private volatile @Nullable Pointer fuse;

    /** Callbacks, which native code calls, but does not keep. */
    private final List<Object> registered = new ArrayList<>();

    /**
     * Whether the thread is closing a file: after flush libfuse unlocks the whole file on the same thread, which flush
     * has done already.
     */
    private final ThreadLocal<Boolean> closing = ThreadLocal.withInitial(() -> false);

    private volatile boolean ended;

    Adapter(LibFuse2 library, Platform platform, FileSystem fileSystem) {
        this.library = library;
        this.platform = platform;
        this.callers = platform.callers();
        this.operations = new FuseOperations(Runtime.getRuntime(library));
        this.memory = Memory.allocateDirect(Runtime.getRuntime(library), Struct.size(operations), true);
        operations.useMemory(memory);
        HandleInodes open = new HandleInodes();
        HiddenFiles hidden = new HiddenFiles();
        PathWalk walk = new PathWalk(fileSystem, platform.names(), hidden, request);
        register(new NameCallbacks(fileSystem, walk, hidden, request));
        register(new AttributeCallbacks(fileSystem, walk, open));
        register(new ContentCallbacks(fileSystem, walk, open, platform));
        register(new DirectoryCallbacks(fileSystem, walk, platform.names()));
        register(new XattrCallbacks(fileSystem, walk));
        register(new LockCallbacks(fileSystem, open, platform.locks()));
        set(operations.init, Callbacks.OfConnection.class, this::init);
        // The flags follow the last of the pointers before them; jnr-fuse has no name for their bits.
        memory.putInt(operations.bmap.offset() + (long) Long.BYTES, NULL_PATH_OK | NO_PATH | UTIME_OMIT_OK);
    }

    FuseOperations operations() {
        return operations;
    }

    /** The requests that the threads which call back carry out. */
    LibFuseRequest request() {
        return request;
    }

    /** Where the operations are. */
    Pointer memory() {
        return memory;
    }

    RequestMeter meter() {
        return meter;
    }

    /** Nobody needs answers any more: whoever waits for one gets EINTR. */
    void end() {
        ended = true;
    }

    /** Makes libfuse end the mount, where it serves it by itself. */
    void exit() {
        Pointer begun = fuse;
        if (begun != null) {
            library.fuse_exit(begun);
        }
    }

    @Override
    public boolean hasEnded() {
        return ended;
    }

    @Override
    public Callers callers() {
        return callers;
    }

    @Override
    public boolean isInterrupted() {
        return library.fuse_interrupted() != 0;
    }

    private void register(NameCallbacks names) {
        set(
                operations.readlink,
                Callbacks.OfRoom.class,
                (path, buffer, size) -> answer(Opcode.READLINK, call -> names.readlink(call, path, buffer, size)));
        set(
                operations.mknod,
                Callbacks.OfPathModeAndDevice.class,
                (path, mode, device) -> answer(Opcode.MKNOD, call -> names.mknod(call, path, mode, device)));
        set(
                operations.mkdir,
                Callbacks.OfPathAndMode.class,
                (path, mode) -> answer(Opcode.MKDIR, call -> names.mkdir(call, path, mode)));
        set(operations.unlink, Callbacks.OfPath.class, path -> answer(Opcode.UNLINK, call -> names.unlink(call, path)));
        set(operations.rmdir, Callbacks.OfPath.class, path -> answer(Opcode.RMDIR, call -> names.rmdir(call, path)));
        set(
                operations.symlink,
                Callbacks.OfPathAndPointer.class,
                (target, path) -> answer(Opcode.SYMLINK, call -> names.symlink(call, target, path)));
        set(
                operations.rename,
                Callbacks.OfPathAndPointer.class,
                (from, to) -> answer(Opcode.RENAME, call -> names.rename(call, from, to)));
        set(
                operations.link,
                Callbacks.OfPathAndPointer.class,
                (from, to) -> answer(Opcode.LINK, call -> names.link(call, from, to)));
    }

    private void register(AttributeCallbacks attributes) {
        set(
                operations.getattr,
                Callbacks.OfPathAndPointer.class,
                (path, stat) -> answer(Opcode.GETATTR, call -> attributes.getattr(call, path, stat)));
        set(
                operations.fgetattr,
                Callbacks.OfPathAndTwoPointers.class,
                (path, stat, file) -> answer(Opcode.GETATTR, call -> attributes.fgetattr(call, stat, file)));
        set(
                operations.chmod,
                Callbacks.OfPathAndMode.class,
                (path, mode) -> answer(Opcode.SETATTR, call -> attributes.chmod(call, path, mode)));
        set(
                operations.chown,
                Callbacks.OfPathAndOwners.class,
                (path, uid, gid) -> answer(Opcode.SETATTR, call -> attributes.chown(call, path, uid, gid)));
        set(
                operations.truncate,
                Callbacks.OfPathAndLength.class,
                (path, length) -> answer(Opcode.SETATTR, call -> attributes.truncate(call, path, length)));
        set(
                operations.ftruncate,
                Callbacks.OfFileAndLength.class,
                (path, length, file) -> answer(Opcode.SETATTR, call -> attributes.ftruncate(call, length, file)));
        set(
                operations.utimens,
                Callbacks.OfPathAndPointer.class,
                (path, times) -> answer(Opcode.SETATTR, call -> attributes.utimens(call, path, times)));
        set(
                operations.statfs,
                Callbacks.OfPathAndPointer.class,
                (path, space) -> answer(Opcode.STATFS, call -> attributes.statfs(call, space)));
    }

    private void register(ContentCallbacks content) {
        set(
                operations.open,
                Callbacks.OfPathAndPointer.class,
                (path, file) -> answer(Opcode.OPEN, call -> content.open(call, path, file)));
        set(
                operations.create,
                Callbacks.OfPathModeAndFile.class,
                (path, mode, file) -> answer(Opcode.CREATE, call -> content.create(call, path, mode, file)));
        set(
                operations.read,
                Callbacks.OfContent.class,
                (path, buffer, size, offset, file) ->
                        answer(Opcode.READ, call -> content.read(call, buffer, size, offset, file)));
        set(
                operations.write,
                Callbacks.OfContent.class,
                (path, buffer, size, offset, file) ->
                        answer(Opcode.WRITE, call -> content.write(call, buffer, size, offset, file)));
        set(operations.flush, Callbacks.OfFile.class, (path, file) -> {
            closing.set(true);
            return answer(Opcode.FLUSH, call -> content.flush(call, file));
        });
        set(
                operations.release,
                Callbacks.OfFile.class,
                (path, file) -> answer(Opcode.RELEASE, call -> content.release(file)));
        set(
                operations.fsync,
                Callbacks.OfNumberAndFile.class,
                (path, dataOnly, file) -> answer(Opcode.FSYNC, call -> content.fsync(call, dataOnly != 0, file)));
        set(
                operations.fallocate,
                Callbacks.OfRange.class,
                (path, mode, offset, length, file) ->
                        answer(Opcode.FALLOCATE, call -> content.fallocate(call, mode, offset, length, file)));
    }

    private void register(DirectoryCallbacks directories) {
        set(
                operations.opendir,
                Callbacks.OfPathAndPointer.class,
                (path, file) -> answer(Opcode.OPENDIR, call -> directories.opendir(call, path, file)));
        set(
                operations.readdir,
                Callbacks.OfListing.class,
                (path, buffer, filler, offset, file) ->
                        answer(Opcode.READDIR, call -> directories.readdir(call, buffer, filler, offset, file)));
        set(
                operations.releasedir,
                Callbacks.OfFile.class,
                (path, file) -> answer(Opcode.RELEASEDIR, call -> directories.releasedir(file)));
        set(
                operations.fsyncdir,
                Callbacks.OfNumberAndFile.class,
                (path, dataOnly, file) -> answer(Opcode.FSYNCDIR, call -> directories.fsyncdir(call, file)));
    }

    private void register(XattrCallbacks xattrs) {
        set(
                operations.getxattr,
                Callbacks.OfNameAndRoom.class,
                (path, name, buffer, size) ->
                        answer(Opcode.GETXATTR, call -> xattrs.get(call, path, name, buffer, size)));
        set(
                operations.setxattr,
                Callbacks.OfNameAndValue.class,
                (path, name, value, size, flags) ->
                        answer(Opcode.SETXATTR, call -> xattrs.set(call, path, name, value, size, flags)));
        set(
                operations.listxattr,
                Callbacks.OfRoom.class,
                (path, buffer, size) -> answer(Opcode.LISTXATTR, call -> xattrs.list(call, path, buffer, size)));
        set(
                operations.removexattr,
                Callbacks.OfPathAndPointer.class,
                (path, name) -> answer(Opcode.REMOVEXATTR, call -> xattrs.remove(call, path, name)));
    }

    private void register(LockCallbacks locks) {
        set(operations.lock, Callbacks.OfLock.class, (path, file, command, lock) -> {
            boolean unlocked = closing.get();
            closing.remove();
            return unlocked ? 0 : answer(Opcode.SETLK, call -> locks.lock(call, file, command, lock));
        });
        set(
                operations.flock,
                Callbacks.OfFileAndNumber.class,
                (path, file, operation) -> answer(Opcode.SETLK, call -> locks.flock(call, file, operation)));
    }

    /**
     * Registers a callback in a form of ours. jnr-fuse's own interfaces would have the names as text; only the address
     * counts for libfuse.
     */
    private <T> void set(Func<?> member, Class<T> form, T callback) {
        registered.add(callback);
        Pointer address = Runtime.getRuntime(library).getClosureManager().getClosurePointer(form, callback);
        memory.putPointer(member.offset(), address);
    }

    /**
     * Says what the driver wants of the kernel. It leaves the umask to the file system: a default access control list
     * replaces it.
     */
    private Pointer init(Pointer connection) {
        int wanted = connection.getInt(CONNECTION_WANT) | (connection.getInt(CONNECTION_CAPABLE) & CAP_DONT_MASK);
        connection.putInt(CONNECTION_WANT, wanted);
        fuse = library.fuse_get_context().fuse.get();
        return Pointer.wrap(Runtime.getRuntime(library), 0);
    }

    /** Carries an operation out, and answers what libfuse gets for it. Nothing is thrown into native code. */
    private int answer(Opcode opcode, ToIntFunction<Call> operation) {
        meter.add(opcode);
        long began = meter.now();
        try {
            Call call = call();
            CallingThread.set(call.pid());
            return operation.applyAsInt(call);
        } catch (Throwable failure) {
            if (Failures.isUnforeseen(failure)) {
                LOG.error("{} failed", opcode, failure);
            }
            return -platform.errno(errnoOf(Failures.toPosix(failure)));
        } finally {
            meter.answered(opcode, began);
        }
    }

    private Call call() {
        FuseContext context = library.fuse_get_context();
        return new Call(
                this, context.uid.intValue(), context.gid.intValue(), context.pid.intValue(), context.umask.intValue());
    }

    /** The errno that libfuse is told. ENOSYS would make the kernel stop asking, for the whole mount. */
    private static Errno errnoOf(PosixException failure) {
        return switch (failure.errno()) {
            case ENOSYS -> Errno.EOPNOTSUPP;
            case ECANCELED -> Errno.EINTR;
            case Errno known -> known;
        };
    }
}
