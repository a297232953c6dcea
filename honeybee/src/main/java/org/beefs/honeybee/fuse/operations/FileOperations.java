package org.beefs.honeybee.fuse.operations;

import com.google.protobuf.ByteString;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.CompletableFuture;
import org.beefs.common.posix.Errno;
import org.beefs.common.rpc.Payload;
import org.beefs.common.wire.Credentials;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.filesystem.FileSystem.OpenedFile;
import org.beefs.honeybee.fuse.exchange.Answer;
import org.beefs.honeybee.fuse.exchange.BufferPool;
import org.beefs.honeybee.fuse.exchange.Exchange;
import org.beefs.honeybee.fuse.exchange.RequestBuffer;
import org.beefs.honeybee.fuse.protocol.Arguments;
import org.beefs.honeybee.fuse.protocol.Body;
import org.beefs.honeybee.fuse.protocol.Protocol;
import org.beefs.honeybee.fuse.protocol.Reply;
import org.beefs.honeybee.mount.Truncation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Operations on the content of regular files. */
final class FileOperations {
    private static final Logger LOG = LoggerFactory.getLogger(FileOperations.class);

    private final FileSystem fileSystem;
    private final KernelState kernel;
    private final BufferPool buffers;
    private final BackingFiles backings;
    private final ReadAnswer readAnswer = new ReadAnswer();

    FileOperations(FileSystem fileSystem, KernelState kernel, BufferPool buffers, BackingFiles backings) {
        this.fileSystem = fileSystem;
        this.kernel = kernel;
        this.buffers = buffers;
        this.backings = backings;
    }

    void open(Exchange exchange, Body body) {
        Arguments.Open arguments = Arguments.Open.of(body);
        Credentials caller = exchange.caller();
        CompletableFuture<OpenedFile> opened = fileSystem.open(caller, exchange.inode(), arguments.flags());
        if (arguments.clearPrivileges()) {
            opened = opened.thenCompose(file -> Truncation.clearPrivileges(fileSystem, caller, file));
        }
        exchange.answer(
                opened.thenApply(backings::enter),
                new OpenAnswer(fileSystem, kernel, backings, exchange.inode(), null));
    }

    void create(Exchange exchange, Body body) {
        Arguments.Create arguments = Arguments.Create.of(body);
        Credentials caller = exchange.caller();
        long directory = exchange.inode();
        ByteString name = body.name(Arguments.Create.BYTES);
        CompletableFuture<OpenedFile> opened =
                fileSystem.create(caller, directory, name, arguments.mode(), arguments.umask(), arguments.flags());
        if (arguments.clearPrivileges()) {
            opened = opened.thenCompose(file -> Truncation.clearPrivileges(fileSystem, caller, file));
        }
        exchange.answer(
                opened.thenApply(backings::enter), new OpenAnswer(fileSystem, kernel, backings, directory, name));
    }

    /** Creates a file without a name. The kernel sends a name all the same, under which there is no entry. */
    void createUnnamed(Exchange exchange, Body body) {
        Arguments.Create arguments = Arguments.Create.of(body);
        long directory = exchange.inode();
        ByteString name = body.name(Arguments.Create.BYTES);
        CompletableFuture<OpenedFile> opened = fileSystem.createUnnamed(
                exchange.caller(), directory, arguments.mode(), arguments.umask(), arguments.flags());
        exchange.answer(
                opened.thenApply(backings::enter), new OpenAnswer(fileSystem, kernel, backings, directory, name));
    }

    void read(Exchange exchange, Body body) {
        Arguments.Read arguments = Arguments.Read.of(body);
        CompletableFuture<Payload.Bytes> content =
                fileSystem.read(arguments.handle(), arguments.offset(), arguments.size());
        kernel.reads().add(exchange.inode(), content);
        exchange.answer(content, readAnswer);
    }

    /** Writes from the buffer that the content came in, which belongs to the operation until it is done. */
    void write(Exchange exchange, Body body) {
        Arguments.Write arguments = Arguments.Write.of(body);
        ByteBuf content = exchange.buffer().content(Exchange.HEADER + Arguments.Write.BYTES, arguments.size());
        CompletableFuture<Void> written = written(arguments, content);
        if (arguments.durable()) {
            written = written.thenCompose(done -> fileSystem.sync(arguments.handle(), true));
        }
        if (!written.isDone()) {
            RequestBuffer buffer = exchange.takeBuffer();
            written.whenComplete((nothing, failure) -> buffers.give(buffer));
        }
        exchange.answer(written, new WriteAnswer(arguments.size()));
    }

    private CompletableFuture<Void> written(Arguments.Write write, ByteBuf content) {
        return write.fromPages()
                ? fileSystem.writePages(write.handle(), write.offset(), content, write.clearPrivileges())
                : fileSystem.write(write.handle(), write.offset(), content, write.append(), write.clearPrivileges());
    }

    /**
     * Answers a release at once: the kernel waits for no answer, but counts this among the few requests that it has in
     * flight in the background, and a queen-bee that is away would keep it from reading mapped files elsewhere.
     */
    void release(Exchange exchange, Body body) {
        long inode = exchange.inode();
        long handle = body.int64(0);
        kernel.closed(inode, handle);
        backings.leave(inode);
        CompletableFuture<Void> released = fileSystem.release(handle);
        exchange.succeed();
        released.whenComplete((nothing, failure) -> {
            if (failure != null) {
                LOG.warn("closing inode {} failed: {}", inode, failure.getMessage());
            }
        });
    }

    /** A program that ends with the file open looks at no failure, and must not be kept from ending. */
    void flush(Exchange exchange, Body body) {
        Arguments.Flush arguments = Arguments.Flush.of(body);
        CompletableFuture<Void> flushed = fileSystem.flush(arguments.handle(), exchange.inode(), arguments.lockOwner());
        if (!flushed.isDone() && exchange.isCallerExiting()) {
            exchange.succeed();
        } else {
            exchange.answer(flushed, (reply, nothing) -> reply.empty());
        }
    }

    void fsync(Exchange exchange, Body body) {
        boolean dataOnly = (body.int32(8) & Protocol.FSYNC_FDATASYNC) != 0;
        exchange.answer(fileSystem.sync(body.int64(0), dataOnly), (reply, nothing) -> reply.empty());
    }

    void fallocate(Exchange exchange, Body body) {
        Arguments.Fallocate arguments = Arguments.Fallocate.of(body);
        exchange.answer(
                fileSystem.allocate(
                        arguments.handle(),
                        arguments.mode(),
                        arguments.offset(),
                        arguments.length(),
                        !exchange.isPrivileged()),
                (reply, nothing) -> reply.empty());
    }

    /** Older kernels ask for 32 bits of length and answer, newer ones for 64. */
    void copy(Exchange exchange, Body body, Answer<Long> answer) {
        Arguments.Copy arguments = Arguments.Copy.of(body);
        exchange.answer(
                fileSystem.copy(
                        arguments.source(),
                        arguments.from(),
                        arguments.target(),
                        arguments.to(),
                        arguments.length(),
                        !exchange.isPrivileged()),
                answer);
    }

    void lseek(Exchange exchange, Body body) {
        Arguments.Lseek arguments = Arguments.Lseek.of(body);
        switch (arguments.whence()) {
            case Protocol.SEEK_DATA, Protocol.SEEK_HOLE ->
                exchange.answer(
                        fileSystem.seek(
                                arguments.handle(), arguments.offset(), arguments.whence() == Protocol.SEEK_HOLE),
                        Reply::offset);
            default -> exchange.fail(Errno.EINVAL);
        }
    }

    /** A buffer that is still being sent must not be reused, so a write goes on when its caller is gone. */
    private record WriteAnswer(int size) implements Answer<Void> {
        @Override
        public boolean send(Reply reply, Void nothing) {
            return reply.count(size);
        }

        @Override
        public boolean isCancellable() {
            return false;
        }
    }
}
