package org.beefs.honeybee.fuse.operations;

import com.google.protobuf.ByteString;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.AccessControlList;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.FileCapabilities;
import org.beefs.common.posix.XattrNames;
import org.beefs.common.wire.Credentials;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.filesystem.Lifetimes;
import org.beefs.honeybee.fuse.exchange.Answer;
import org.beefs.honeybee.fuse.exchange.Exchange;
import org.beefs.honeybee.fuse.protocol.Body;
import org.beefs.honeybee.fuse.protocol.Protocol;
import org.beefs.honeybee.fuse.protocol.Reply;

/** Extended attributes. A caller that offers no room for the answer asks how long it is. */
final class XattrOperations {
    private static final ByteString NUL = ByteString.copyFrom(new byte[1]);

    private final FileSystem fileSystem;
    private final Lifetimes lifetimes;

    XattrOperations(FileSystem fileSystem, Lifetimes lifetimes) {
        this.fileSystem = fileSystem;
        this.lifetimes = lifetimes;
    }

    void get(Exchange exchange, Body body) {
        int room = body.int32(0);
        ByteString name = body.name(8);
        exchange.answer(
                room == 0 && name.equals(FileCapabilities.XATTR) ? fileCapabilities(exchange) : value(exchange, name),
                AccessControlList.isName(name)
                        ? new AccessControlAnswer(exchange.inode(), room)
                        : (reply, found) -> send(reply, room, found));
    }

    /**
     * Answers whether a file has capabilities. The kernel asks so, in the writer's name, before the first write past
     * this driver after it has got new attributes: it leaves set-id bits to whoever serves the file, and this is the
     * last moment.
     */
    private CompletableFuture<ByteString> fileCapabilities(Exchange exchange) {
        Credentials caller = exchange.user();
        long inode = exchange.inode();
        return exchange.isPrivileged()
                ? fileSystem.getXattr(caller, inode, FileCapabilities.XATTR)
                : fileSystem
                        .clearPrivileges(inode)
                        .thenCompose(done -> fileSystem.getXattr(caller, inode, FileCapabilities.XATTR));
    }

    /**
     * The value of an attribute. Those of users are for who may read the file, for which the caller's groups count; all
     * others are for everybody, or for root.
     */
    private CompletableFuture<ByteString> value(Exchange exchange, ByteString name) {
        Credentials caller = name.startsWith(XattrNames.USER) ? exchange.caller() : exchange.user();
        return fileSystem.getXattr(caller, exchange.inode(), name);
    }

    void set(Exchange exchange, Body body) {
        ByteString name = body.name(8);
        ByteString value = body.copy(8 + name.size() + 1L, Integer.toUnsignedLong(body.int32(0)));
        int flags = body.int32(4);
        exchange.answer(
                fileSystem.setXattr(
                        exchange.caller(),
                        exchange.inode(),
                        name,
                        value,
                        (flags & Protocol.XATTR_CREATE) != 0,
                        (flags & Protocol.XATTR_REPLACE) != 0),
                (reply, nothing) -> reply.empty());
    }

    void list(Exchange exchange, Body body) {
        int room = body.int32(0);
        exchange.answer(
                fileSystem.listXattrs(exchange.caller(), exchange.inode()),
                (reply, names) -> send(reply, room, terminated(names)));
    }

    void remove(Exchange exchange, Body body) {
        exchange.answer(
                fileSystem.removeXattr(exchange.caller(), exchange.inode(), body.name(0)),
                (reply, nothing) -> reply.empty());
    }

    private static boolean send(Reply reply, int room, ByteString value) {
        if (room == 0) {
            return reply.count(value.size());
        }
        return value.size() > room ? reply.error(Errno.ERANGE) : reply.bytes(value);
    }

    private static ByteString terminated(List<ByteString> names) {
        ByteString all = ByteString.EMPTY;
        for (ByteString name : names) {
            all = all.concat(name).concat(NUL);
        }
        return all;
    }

    /** The answer with an access control list, or that there is none: the kernel keeps both. */
    private final class AccessControlAnswer implements Answer<ByteString> {
        private final long inode;
        private final int room;

        AccessControlAnswer(long inode, int room) {
            this.inode = inode;
            this.room = room;
        }

        @Override
        public boolean send(Reply reply, ByteString list) {
            lifetimes.accessControl(inode);
            return XattrOperations.send(reply, room, list);
        }

        @Override
        public boolean sendFailure(Reply reply, Errno errno) {
            lifetimes.accessControl(inode);
            return reply.error(errno);
        }
    }
}
