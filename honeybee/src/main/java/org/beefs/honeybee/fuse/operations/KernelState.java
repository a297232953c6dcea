package org.beefs.honeybee.fuse.operations;

import com.google.protobuf.ByteString;
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.Attributes;
import org.beefs.honeybee.filesystem.FileSystem.OpenedFile;
import org.beefs.honeybee.filesystem.KernelCache;
import org.beefs.honeybee.filesystem.Lifetimes;
import org.beefs.honeybee.fuse.exchange.Answer;
import org.beefs.honeybee.fuse.notification.KeptPages;
import org.beefs.honeybee.fuse.notification.PendingReads;
import org.beefs.honeybee.fuse.operations.BackingFiles.BackedFile;
import org.beefs.honeybee.fuse.protocol.Reply;

/**
 * What the kernel may remember, decided when each answer is sent.
 *
 * @param lifetimes how long it may
 * @param cache how to make it forget
 * @param pages of which files it has kept content
 * @param reads content that it waits for
 */
public record KernelState(Lifetimes lifetimes, KernelCache cache, KeptPages pages, PendingReads reads) {
    /** How the kernel uses pages of a file that is being opened; {@link #closed} follows. */
    KeptPages.Use opened(OpenedFile file) {
        long inode = file.attributes().getInode();
        return file.mayKeepPages()
                ? pages.open(inode, file.handle(), () -> lifetimes.pages(inode))
                : KeptPages.Use.NONE;
    }

    /** A handle was released, or the kernel never learned of it. */
    void closed(long inode, long handle) {
        pages.release(inode, handle);
    }

    /** The answer to a lookup. That there is no such entry may be remembered too. */
    Answer<Attributes> found(long directory, ByteString name) {
        return new Answer<>() {
            @Override
            public boolean send(Reply reply, Attributes attributes) {
                return entry(reply, directory, name, attributes, lifetimes.attributes(attributes));
            }

            @Override
            public boolean sendFailure(Reply reply, Errno errno) {
                long lifetime = errno == Errno.ENOENT ? lifetimes.entry(directory, name, 0) : 0;
                return lifetime > 0 ? reply.absent(lifetime) : reply.error(errno);
            }
        };
    }

    /** The answer to what makes an inode. */
    Answer<Attributes> made(long directory, ByteString name) {
        return new Changed<>() {
            @Override
            public boolean send(Reply reply, Attributes attributes) {
                return entry(reply, directory, name, attributes, lifetimes.madeAttributes(attributes));
            }
        };
    }

    /** The answer to what makes another entry of an inode. */
    Answer<Attributes> linked(long directory, ByteString name) {
        return new Changed<>() {
            @Override
            public boolean send(Reply reply, Attributes attributes) {
                return entry(reply, directory, name, attributes, lifetimes.changedAttributes(attributes));
            }
        };
    }

    /** The answer to what moves or removes entries. */
    Answer<Void> changed() {
        return new Changed<>() {
            @Override
            public boolean send(Reply reply, Void nothing) {
                return reply.empty();
            }
        };
    }

    /** Answers attributes of an inode that the kernel knows. */
    boolean attributes(Reply reply, Attributes attributes) {
        return reply.attributes(attributes, lifetimes.attributes(attributes));
    }

    /** Answers attributes of an inode that were just changed. */
    boolean changedAttributes(Reply reply, Attributes attributes) {
        return reply.attributes(attributes, lifetimes.changedAttributes(attributes));
    }

    /** As {@link #attributes}, in the form of statx(2). */
    boolean statx(Reply reply, Attributes attributes) {
        return reply.statx(attributes, lifetimes.attributes(attributes));
    }

    /**
     * Answers an entry that was made and opened. Attributes of what there was already have no lifetime: the kernel
     * takes them over without a lock on it.
     */
    boolean created(Reply reply, long directory, ByteString name, BackedFile backed, int flags) {
        OpenedFile file = backed.file();
        long entryLifetime = lifetimes.entry(directory, name, file.attributes().getInode());
        long attributesLifetime = file.isNew() ? lifetimes.madeAttributes(file.attributes()) : 0;
        return reply.created(
                file.attributes(), entryLifetime, attributesLifetime, file.handle(), flags, backed.backing());
    }

    private boolean entry(
            Reply reply, long directory, ByteString name, Attributes attributes, long attributesLifetime) {
        long entryLifetime = lifetimes.entry(directory, name, attributes.getInode());
        return reply.entry(attributes, entryLifetime, attributesLifetime);
    }

    /**
     * The answer to a change. When its caller was interrupted the kernel takes it for failed, though it was made: what
     * the kernel keeps of its entries is wrong then.
     */
    private abstract class Changed<T> implements Answer<T> {
        @Override
        public void undelivered(T result) {
            cache.invalidateEntries();
        }

        @Override
        public boolean isCancellable() {
            return false;
        }
    }
}
