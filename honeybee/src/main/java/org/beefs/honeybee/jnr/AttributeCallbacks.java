package org.beefs.honeybee.jnr;

import jnr.ffi.Pointer;
import org.beefs.common.posix.FileMode;
import org.beefs.common.posix.FileName;
import org.beefs.common.posix.Timestamps;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.FileSystemSpace;
import org.beefs.common.wire.Timestamp;
import org.beefs.honeybee.filesystem.AttributeChange;
import org.beefs.honeybee.filesystem.AttributeChange.TimeChange;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.mount.TransferSize;
import org.jspecify.annotations.Nullable;
import ru.serce.jnrfuse.struct.FileStat;
import ru.serce.jnrfuse.struct.FuseFileInfo;
import ru.serce.jnrfuse.struct.Statvfs;
import ru.serce.jnrfuse.struct.Timespec;

/** Operations on what stat and statfs show. */
final class AttributeCallbacks {
    private static final int BLOCK = 4096;
    private static final int PERMISSIONS = 07777;

    /** Values that utimensat(2) has in place of nanoseconds. */
    private static final long UTIME_NOW = (1L << 30) - 1;

    private static final long UTIME_OMIT = (1L << 30) - 2;

    /** The ID by which chown(2) leaves an owner as it is. */
    private static final int UNCHANGED = -1;

    private final FileSystem fileSystem;
    private final PathWalk walk;
    private final HandleInodes open;
    private final ShownModes modes;

    AttributeCallbacks(FileSystem fileSystem, PathWalk walk, HandleInodes open) {
        this.fileSystem = fileSystem;
        this.walk = walk;
        this.open = open;
        modes = new ShownModes(fileSystem);
    }

    int getattr(Call call, Pointer path, Pointer stat) {
        show(call, walk.find(call, path), stat);
        return 0;
    }

    int fgetattr(Call call, Pointer stat, Pointer file) {
        long inode = open.inodeOf(FuseFileInfo.of(file).fh.get());
        show(call, call.await(fileSystem.getAttributes(inode)), stat);
        return 0;
    }

    int chmod(Call call, Pointer path, int mode) {
        Attributes present = walk.find(call, path);
        boolean clears = !call.isPrivileged() && isClearing(call, present, mode & PERMISSIONS);
        Integer set = clears ? null : (Integer) modes.meant(call, present, mode & PERMISSIONS);
        return change(call, path, new AttributeChange(set, null, null, null, null, null, null, clears));
    }

    /**
     * Whether the kernel takes set-id bits away because somebody who is not the owner changes the file. Whoever asks
     * for that with chmod(2) himself, it has refused already.
     */
    private static boolean isClearing(Call call, Attributes present, int mode) {
        int old = present.getMode() & PERMISSIONS;
        return call.uid() != present.getUid()
                && (old & ~(FileMode.SET_UID | FileMode.SET_GID)) == (mode & ~(FileMode.SET_UID | FileMode.SET_GID))
                && (mode & ~old) == 0;
    }

    int chown(Call call, Pointer path, int uid, int gid) {
        Integer owner = uid == UNCHANGED ? null : (Integer) uid;
        Integer group = gid == UNCHANGED ? null : (Integer) gid;
        return change(call, path, new AttributeChange(null, owner, group, null, null, null, null, false));
    }

    int truncate(Call call, Pointer path, long length) {
        boolean clears = !call.isPrivileged();
        return change(call, path, new AttributeChange(null, null, null, length, null, null, null, clears));
    }

    int ftruncate(Call call, long length, Pointer file) {
        long handle = FuseFileInfo.of(file).fh.get();
        boolean clears = !call.isPrivileged();
        AttributeChange change = new AttributeChange(null, null, null, length, null, null, handle, clears);
        call.await(fileSystem.setAttributes(call.credentials(), open.inodeOf(handle), change));
        return 0;
    }

    int utimens(Call call, Pointer path, Pointer times) {
        Timespec atime = Timespec.of(times);
        Timespec mtime = Timespec.of(times.slice(jnr.ffi.Struct.size(atime)));
        AttributeChange change = new AttributeChange(null, null, null, null, time(atime), time(mtime), null, false);
        return change(call, path, change);
    }

    int statfs(Call call, Pointer memory) {
        FileSystemSpace space = call.await(fileSystem.space());
        Statvfs shown = Statvfs.of(memory);
        shown.f_bsize.set(BLOCK);
        shown.f_frsize.set(BLOCK);
        shown.f_blocks.set(space.getCapacity() / BLOCK);
        shown.f_bfree.set(space.getAvailable() / BLOCK);
        shown.f_bavail.set(space.getAvailable() / BLOCK);
        shown.f_files.set(space.getInodes());
        shown.f_ffree.set(space.getInodesAvailable());
        shown.f_favail.set(space.getInodesAvailable());
        shown.f_namemax.set(FileName.LONGEST);
        return 0;
    }

    private int change(Call call, Pointer path, AttributeChange change) {
        call.await(fileSystem.setAttributes(call.credentials(), walk.inode(call, path), change));
        return 0;
    }

    private static @Nullable TimeChange time(Timespec time) {
        long nanos = time.tv_nsec.longValue();
        if (nanos == UTIME_OMIT) {
            return null;
        }
        return nanos == UTIME_NOW
                ? new TimeChange.Now(null)
                : new TimeChange.At(Timestamps.nearest(time.tv_sec.get(), (int) nanos));
    }

    private void show(Call call, Attributes attributes, Pointer memory) {
        FileStat stat = FileStat.of(memory);
        stat.st_ino.set(attributes.getInode());
        stat.st_mode.set(modes.of(call, attributes));
        stat.st_nlink.set(attributes.getLinks());
        stat.st_uid.set(attributes.getUid());
        stat.st_gid.set(attributes.getGid());
        stat.st_rdev.set(attributes.getDevice());
        stat.st_size.set(attributes.getSize());
        stat.st_blksize.set(TransferSize.of(attributes));
        stat.st_blocks.set(attributes.getBlocks());
        show(attributes.getAtime(), stat.st_atim);
        show(attributes.getMtime(), stat.st_mtim);
        show(attributes.getCtime(), stat.st_ctim);
    }

    private static void show(Timestamp time, Timespec shown) {
        shown.tv_sec.set(time.getSeconds());
        shown.tv_nsec.set(time.getNanos());
    }
}
