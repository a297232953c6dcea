package org.beefs.simulator.client;

import com.google.protobuf.ByteString;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.rpc.Payload;
import org.beefs.common.wire.Attributes;
import org.beefs.honeybee.filesystem.AttributeChange;
import org.beefs.honeybee.filesystem.AttributeChange.TimeChange;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.filesystem.FileSystem.OpenFlags;
import org.beefs.honeybee.filesystem.FileSystem.OpenedFile;
import org.beefs.simulator.kernel.SystemCalls;
import org.beefs.simulator.model.Actor;
import org.beefs.simulator.model.Changing;
import org.beefs.simulator.model.Creation;
import org.beefs.simulator.model.Expected;
import org.beefs.simulator.model.Inspection;
import org.beefs.simulator.model.Opening;
import org.beefs.simulator.model.Step;
import org.jspecify.annotations.Nullable;

/** Operations on attributes and content. The seen value of an open is the {@link FileSystem.OpenedFile}, in the end. */
final class ContentRequests {
    private ContentRequests() {}

    private static int mask(OpenFlags flags) {
        return (flags.read() ? Actor.READ : 0) | (flags.write() ? Actor.WRITE : 0);
    }

    static Request create(Actor actor, long directory, ByteString name, int mode, OpenFlags flags) {
        return opening(
                "create %d/%s %o %s".formatted(directory, name.toStringUtf8(), mode, show(flags)),
                List.of(
                        Creation.create(actor, directory, name, mode, flags.exclusive()),
                        Opening.openFound(actor, mask(flags))),
                actor,
                flags,
                system -> system.create(actor.credentials(), directory, name, mode, 0, flags));
    }

    static Request open(Actor actor, long inode, OpenFlags flags) {
        return opening(
                "open %d %s".formatted(inode, show(flags)),
                List.of(Opening.open(actor, inode, mask(flags))),
                actor,
                flags,
                system -> system.open(actor.credentials(), inode, flags));
    }

    private static Request opening(
            String description,
            List<Step> open,
            Actor actor,
            OpenFlags flags,
            java.util.function.Function<SystemCalls, java.util.concurrent.CompletableFuture<OpenedFile>> call) {
        List<Step> steps = new ArrayList<>(open);
        if (flags.truncate()) {
            steps.add(Opening.emptyFound(actor));
        }
        return new Request(
                description,
                steps,
                system -> call.apply(system).thenApply(opened -> List.of(seen(opened, flags), opened, opened)));
    }

    /** An open shows no attributes, and a creation that truncates those of a moment after. */
    private static Object seen(OpenedFile opened, OpenFlags flags) {
        Attributes attributes = opened.attributes();
        if (flags.truncate() || attributes.getMode() == 0) {
            return attributes.getInode();
        }
        return attributes;
    }

    private static String show(OpenFlags flags) {
        return (flags.read() ? "r" : "")
                + (flags.write() ? "w" : "")
                + (flags.truncate() ? "t" : "")
                + (flags.exclusive() ? "x" : "");
    }

    static Request release(OpenHandle handle) {
        return Request.of(
                "release %d of %d".formatted(handle.handle(), handle.inode()),
                Opening.release(handle.inode(), handle.operation()),
                system -> system.release(handle.handle()));
    }

    static Request read(OpenHandle handle, long offset, int length) {
        return handle.paged() ? readPages(handle, offset, length) : readAtOnce(handle, offset, length);
    }

    /** The kernel may learn where the file ends a moment before it has the content. */
    private static Request readPages(OpenHandle handle, long offset, int length) {
        long inode = handle.inode();
        return new Request(
                        "read %d of %d at %d for %d, in pages".formatted(handle.handle(), inode, offset, length),
                        List.of(Opening.length(inode, offset, length), Opening.beginning(inode, offset)),
                        system -> system.read(handle.handle(), offset, length).thenApply(payload -> {
                            ByteString read = bytes(payload);
                            return List.of(read.size(), read);
                        }))
                .reading();
    }

    private static Request readAtOnce(OpenHandle handle, long offset, int length) {
        return Request.seeing(
                        "read %d of %d at %d for %d".formatted(handle.handle(), handle.inode(), offset, length),
                        Opening.read(handle.inode(), offset, length),
                        system -> system.read(handle.handle(), offset, length).thenApply(ContentRequests::bytes))
                .reading();
    }

    private static ByteString bytes(Payload payload) {
        if (!(payload instanceof Payload.Bytes content)) {
            throw new IllegalStateException("the simulator has no files to send from");
        }
        ByteString bytes = ByteString.copyFrom(ByteBufUtil.getBytes(content.buffer()));
        payload.close();
        return bytes;
    }

    static Request write(OpenHandle handle, long offset, boolean append, ByteString data) {
        return Request.of(
                describe(handle, offset, append, data),
                handle.behind() && !append
                        ? Opening.heldWrite(handle.inode(), offset, data)
                        : Opening.write(handle.inode(), offset, append, data),
                system -> system.write(handle.handle(), offset, buffer(data), append, false));
    }

    /**
     * A write that takes set-id bits away, of whose presence the mount learns just before: if another mount sets them
     * meanwhile, they stay, because a mount looks only at the mode it saw last.
     */
    static Request clearingWrite(OpenHandle handle, long offset, boolean append, ByteString data) {
        long inode = handle.inode();
        List<Step> steps = List.of(
                Inspection.attributes(inode),
                Inspection.contentAttributes(),
                handle.behind() && !append
                        ? Opening.heldWrite(inode, offset, data)
                        : Opening.write(inode, offset, append, data),
                Changing.clearPrivileges(inode));
        return new Request(
                "stat %d and ".formatted(inode) + describe(handle, offset, append, data) + ", clearing set-ids",
                steps,
                system -> system.getAttributes(inode)
                        .thenCompose(seen -> system.write(handle.handle(), offset, buffer(data), append, true)
                                .thenApply(_ -> List.of(seen, seen, Expected.UNSEEN, Expected.UNSEEN))));
    }

    private static String describe(OpenHandle handle, long offset, boolean append, ByteString data) {
        return "write %d of %d at %s, %d bytes"
                .formatted(handle.handle(), handle.inode(), append ? "end" : offset, data.size());
    }

    private static ByteBuf buffer(ByteString data) {
        return Unpooled.wrappedBuffer(data.toByteArray());
    }

    /** A read or write by a program whose daemon may be gone. */
    static Request readPast(PastFile past, long offset, int length) {
        return Request.seeing(
                        "read past the daemon %d at %d for %d".formatted(past.inode(), offset, length),
                        Opening.read(past.inode(), offset, length),
                        _ -> done(() -> ByteString.copyFrom(past.file().read(offset, length))))
                .reading();
    }

    static Request writePast(PastFile past, long offset, boolean append, ByteString data) {
        return Request.of(
                "write past the daemon %d at %s, %d bytes"
                        .formatted(past.inode(), append ? "end" : offset, data.size()),
                Opening.write(past.inode(), offset, append, data),
                _ -> done(() -> {
                    past.file().write(offset, append, data.toByteArray());
                    return true;
                }));
    }

    static Request store(PastFile past, long offset, ByteString data) {
        return Request.of(
                "store to the mapped %d at %d, %d bytes".formatted(past.inode(), offset, data.size()),
                Opening.store(past.inode(), offset, data),
                _ -> done(() -> {
                    past.file().store(offset, data.toByteArray());
                    return true;
                }));
    }

    /** A program that is fenced gets EPERM, or SIGBUS: either way what it wanted is not done, which is EIO here. */
    private static <T> CompletableFuture<T> done(Supplier<T> work) {
        try {
            return CompletableFuture.completedFuture(work.get());
        } catch (PosixException fenced) {
            return CompletableFuture.failedFuture(new PosixException(Errno.EIO, fenced.getMessage()));
        }
    }

    static Request allocate(OpenHandle handle, int mode, long offset, long length) {
        return Request.of(
                "fallocate %d of %d mode %d at %d for %d"
                        .formatted(handle.handle(), handle.inode(), mode, offset, length),
                Opening.allocate(handle.inode(), mode, offset, length),
                system -> system.allocate(handle.handle(), mode, offset, length, false));
    }

    static Request sync(OpenHandle handle, boolean dataOnly) {
        return Request.of(
                        "fsync %d of %d".formatted(handle.handle(), handle.inode()),
                        Opening.sync(handle.inode()),
                        system -> system.sync(handle.handle(), dataOnly))
                .syncing(handle.inode());
    }

    static Request syncDirectory(long directory) {
        return Request.of(
                        "fsync directory " + directory,
                        Opening.sync(directory),
                        system -> system.syncDirectory(directory))
                .syncing(directory);
    }

    static Request truncate(Actor actor, long inode, long size) {
        return new Request(
                "truncate %d to %d".formatted(inode, size),
                List.of(Opening.mayTruncate(actor, inode), Opening.truncateFound(size), Inspection.attributes(inode)),
                system -> system.setAttributes(actor.credentials(), inode, size(size, null))
                        .thenApply(attributes -> List.of(Expected.UNSEEN, Expected.UNSEEN, attributes)));
    }

    static Request truncate(Actor actor, OpenHandle handle, long size) {
        return new Request(
                "ftruncate %d of %d to %d".formatted(handle.handle(), handle.inode(), size),
                List.of(Opening.truncate(handle.inode(), size), Inspection.attributes(handle.inode())),
                system -> system.setAttributes(actor.credentials(), handle.inode(), size(size, handle.handle()))
                        .thenApply(attributes -> List.of(Expected.UNSEEN, attributes)));
    }

    private static AttributeChange size(long size, @Nullable Long handle) {
        return new AttributeChange(null, null, null, size, null, null, handle, false);
    }

    /**
     * What its answer says of size and times is not looked at: of a file that another desktop was writing when it went
     * away they are those that were known last.
     */
    static Request chmod(Actor actor, long inode, int mode) {
        return Request.seeing(
                "chmod %d %o".formatted(inode, mode),
                Changing.mode(actor, inode, mode),
                system -> system.setAttributes(
                        actor.credentials(),
                        inode,
                        new AttributeChange(mode, null, null, null, null, null, null, false)));
    }

    /** As {@link #chmod}. */
    static Request chown(Actor actor, long inode, @Nullable Integer uid, @Nullable Integer gid) {
        return Request.seeing(
                "chown %d %s:%s".formatted(inode, uid, gid),
                Changing.owner(actor, inode, uid, gid),
                system -> system.setAttributes(
                        actor.credentials(),
                        inode,
                        new AttributeChange(null, uid, gid, null, null, null, null, false)));
    }

    /** Sets times: null leaves one, {@link Instant#MAX} stands for now. */
    static Request times(Actor actor, long inode, @Nullable Instant atime, @Nullable Instant mtime) {
        return NamespaceRequests.withContent(
                "utimens %d %s %s".formatted(inode, atime, mtime),
                Changing.times(actor, inode, atime, mtime),
                system -> system.setAttributes(
                        actor.credentials(),
                        inode,
                        new AttributeChange(null, null, null, null, change(atime), change(mtime), null, false)));
    }

    private static @Nullable TimeChange change(@Nullable Instant time) {
        if (time == null) {
            return null;
        }
        return time.equals(Instant.MAX) ? new TimeChange.Now(null) : new TimeChange.At(time);
    }
}
