package org.beefs.honeybee.fuse.operations;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.FoundLock;
import org.beefs.common.wire.LockMode;
import org.beefs.common.wire.LockRange;
import org.beefs.honeybee.filesystem.FileLock;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.fuse.exchange.Answer;
import org.beefs.honeybee.fuse.exchange.Exchange;
import org.beefs.honeybee.fuse.protocol.Arguments;
import org.beefs.honeybee.fuse.protocol.Body;
import org.beefs.honeybee.fuse.protocol.Protocol;
import org.beefs.honeybee.fuse.protocol.Reply;

/** Locks on regular files; those on anything else the kernel keeps to itself. */
final class LockOperations {
    private final FileSystem fileSystem;

    LockOperations(FileSystem fileSystem) {
        this.fileSystem = fileSystem;
    }

    void find(Exchange exchange, Body body) {
        Arguments.Lock arguments = Arguments.Lock.of(body);
        exchange.answer(fileSystem.findLock(exchange.inode(), lock(arguments, false)), LockOperations::send);
    }

    /** @param wait whether to wait for whoever is in the way, until any signal comes */
    void set(Exchange exchange, Body body, boolean wait) {
        Arguments.Lock arguments = Arguments.Lock.of(body);
        FileLock lock = lock(arguments, wait && arguments.type() != Protocol.F_UNLCK);
        CompletableFuture<Void> interrupted = new CompletableFuture<>();
        LockAnswer answer = new LockAnswer(fileSystem, arguments.handle(), exchange.inode(), lock);
        CompletableFuture<Void> set = fileSystem.setLock(arguments.handle(), exchange.inode(), lock, interrupted);
        if (lock.waits()) {
            exchange.answer(set, answer, () -> interrupted.complete(null));
        } else {
            exchange.answer(set, answer);
        }
    }

    private static FileLock lock(Arguments.Lock arguments, boolean wait) {
        LockRange range = LockRange.newBuilder()
                .setStart(arguments.start())
                .setEnd(arguments.end())
                .build();
        return new FileLock(arguments.owner(), arguments.flock(), mode(arguments.type()), range, arguments.pid(), wait);
    }

    private static LockMode mode(int type) {
        return switch (type) {
            case Protocol.F_RDLCK -> LockMode.SHARED;
            case Protocol.F_WRLCK -> LockMode.EXCLUSIVE;
            case Protocol.F_UNLCK -> LockMode.UNLOCKED;
            default -> throw new PosixException(Errno.EINVAL, "no type of a lock: " + type);
        };
    }

    private static boolean send(Reply reply, Optional<FoundLock> found) {
        if (found.isEmpty()) {
            return reply.lock(0, 0, Protocol.F_UNLCK, 0);
        }
        FoundLock lock = found.get();
        int type = lock.getMode() == LockMode.SHARED ? Protocol.F_RDLCK : Protocol.F_WRLCK;
        return reply.lock(lock.getRange().getStart(), lock.getRange().getEnd(), type, lock.getPid());
    }

    /** A lock that the kernel does not take any more is given up: its caller does not know that he has it. */
    private record LockAnswer(FileSystem fileSystem, long handle, long inode, FileLock lock) implements Answer<Void> {
        @Override
        public boolean send(Reply reply, Void nothing) {
            return reply.empty();
        }

        @Override
        public void undelivered(Void nothing) {
            if (lock.mode() != LockMode.UNLOCKED) {
                fileSystem.setLock(handle, inode, lock.undone(), new CompletableFuture<>());
            }
        }
    }
}
