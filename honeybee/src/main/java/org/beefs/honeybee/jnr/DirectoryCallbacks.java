package org.beefs.honeybee.jnr;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import com.google.protobuf.ByteString;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import jnr.ffi.Pointer;
import jnr.ffi.Runtime;
import jnr.ffi.Struct;
import org.beefs.common.posix.FileMode;
import org.beefs.common.posix.FileName;
import org.beefs.honeybee.filesystem.Entry;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.filesystem.FileSystem.Listing;
import org.beefs.honeybee.filesystem.OpenListing;
import org.beefs.honeybee.filesystem.OpenListings;
import ru.serce.jnrfuse.struct.FileStat;
import ru.serce.jnrfuse.struct.FuseFileInfo;

/** Listing of directories. libfuse says where a listing goes on. */
final class DirectoryCallbacks {
    /** Entries that are asked for at once: about what the kernel takes at once. */
    private static final int PAGE = 128;

    /** {@code fuse_fill_dir_t}; jnr-ffi would make a class for each address. */
    private static final MethodHandle FILL =
            Linker.nativeLinker().downcallHandle(FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG));

    private final FileSystem fileSystem;
    private final PathWalk walk;
    private final NameRules rules;
    private final OpenListings listings = new OpenListings();

    DirectoryCallbacks(FileSystem fileSystem, PathWalk walk, NameRules rules) {
        this.fileSystem = fileSystem;
        this.walk = walk;
        this.rules = rules;
    }

    int opendir(Call call, Pointer path, Pointer file) {
        long inode = walk.inode(call, path);
        call.await(fileSystem.openDirectory(call.credentials(), inode));
        FuseFileInfo.of(file).fh.set(listings.open(inode));
        return 0;
    }

    int releasedir(Pointer file) {
        listings.close(FuseFileInfo.of(file).fh.get());
        return 0;
    }

    int fsyncdir(Call call, Pointer file) {
        call.await(fileSystem.syncDirectory(opened(file).inode()));
        return 0;
    }

    int readdir(Call call, Pointer buffer, Pointer filler, long offset, Pointer file) {
        OpenListing opened = opened(file);
        try (Arena arena = Arena.ofConfined()) {
            Page page = new Page(arena, buffer, filler);
            long after = offset;
            boolean room = true;
            while (room) {
                Listing listing = list(call, opened, OpenListing.behindDots(after));
                room = fill(page, opened.inode(), after, listing) && !listing.end();
                if (room) {
                    after = listing.entries().getLast().cookie();
                }
            }
        }
        return 0;
    }

    private OpenListing opened(Pointer file) {
        return listings.get(FuseFileInfo.of(file).fh.get());
    }

    private Listing list(Call call, OpenListing opened, long after) {
        return opened.told(after, call.await(fileSystem.listDirectory(opened.inode(), after, PAGE, false)));
    }

    /** Whether there is room for more. */
    private boolean fill(Page page, long inode, long after, Listing listing) {
        boolean room = after >= OpenListing.COOKIE_SELF
                || page.add(FileName.DOT, inode, FileMode.DIRECTORY, OpenListing.COOKIE_SELF);
        room = room
                && (after >= OpenListing.COOKIE_PARENT
                        || page.add(FileName.DOT_DOT, listing.parent(), FileMode.DIRECTORY, OpenListing.COOKIE_PARENT));
        for (Entry entry : listing.entries()) {
            if (!room) {
                return false;
            }
            room = page.add(rules.toSystem(entry.name()), entry.inode(), entry.type(), entry.cookie());
        }
        return room;
    }

    /** The kernel's buffer, as far as libfuse lets it be filled. */
    private static final class Page {
        private final MemorySegment filler;
        private final MemorySegment buffer;
        private final MemorySegment name;
        private final FileStat stat;
        private final MemorySegment statMemory;

        Page(Arena arena, Pointer buffer, Pointer filler) {
            this.buffer = MemorySegment.ofAddress(buffer.address());
            this.filler = MemorySegment.ofAddress(filler.address());
            // Windows has its names in UTF-8, three bytes for each of 255 characters.
            this.name = arena.allocate(3 * FileName.LONGEST + 1L);
            Runtime runtime = buffer.getRuntime();
            this.stat = new FileStat(runtime);
            this.statMemory = arena.allocate(Struct.size(stat), Long.BYTES);
            stat.useMemory(Pointer.wrap(runtime, statMemory.address()));
        }

        boolean add(ByteString entry, long inode, int type, long cookie) {
            MemorySegment.copy(entry.toByteArray(), 0, name, JAVA_BYTE, 0, entry.size());
            name.set(JAVA_BYTE, entry.size(), (byte) 0);
            stat.st_ino.set(inode);
            stat.st_mode.set(type);
            try {
                return (int) FILL.invokeExact(filler, buffer, name, statMemory, cookie) == 0;
            } catch (Throwable defect) {
                throw new IllegalStateException("libfuse did not take a directory entry", defect);
            }
        }
    }
}
