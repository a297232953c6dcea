package org.beefs.simulator.client;

import com.google.protobuf.ByteString;
import io.netty.buffer.ByteBufUtil;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.beefs.common.posix.FileMode;
import org.beefs.common.rpc.Payload;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Credentials;
import org.beefs.honeybee.filesystem.Entry;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.filesystem.FileSystem.OpenFlags;
import org.beefs.simulator.model.Sight;

/** Looks at a whole file system as root, step by step. */
public final class Survey {
    private static final Credentials ROOT = Credentials.getDefaultInstance();
    private static final OpenFlags READING = new OpenFlags(true, false, false, false, false, false);
    private static final int WHOLE = 1 << 20;

    private final FileSystem system;
    private final Map<String, Sight> sights = new TreeMap<>();
    private final CompletableFuture<Void> done;

    public Survey(FileSystem system) {
        this.system = system;
        this.done = system.getAttributes(FileSystem.ROOT).thenCompose(attributes -> visit("", attributes));
    }

    /** False until all was seen; throws when something could not be looked at. */
    public boolean isDone() {
        if (done.isCompletedExceptionally()) {
            throw new IllegalStateException("the file system cannot be looked at", done.exceptionNow());
        }
        return done.isDone();
    }

    /** What was seen, by path. */
    public Map<String, Sight> sights() {
        return sights;
    }

    private CompletableFuture<Void> visit(String path, Attributes attributes) {
        int mode = attributes.getMode();
        CompletableFuture<ByteString> target = FileMode.isSymbolicLink(mode)
                ? system.readSymbolicLink(ROOT, attributes.getInode())
                : CompletableFuture.completedFuture(ByteString.EMPTY);
        return target.thenCombine(
                        xattrs(attributes),
                        (text, xattrs) -> new Sight(
                                attributes.getInode(),
                                mode,
                                attributes.getLinks(),
                                attributes.getUid(),
                                attributes.getGid(),
                                text,
                                xattrs))
                .thenCompose(sight -> {
                    sights.put(path, sight);
                    return FileMode.isDirectory(mode)
                            ? children(path, attributes.getInode())
                            : CompletableFuture.completedFuture(null);
                });
    }

    private CompletableFuture<Void> children(String path, long directory) {
        return system.listDirectory(directory, 0, 4096, false)
                .thenCompose(listing -> inTurn(
                        listing.entries(),
                        entry -> system.lookup(ROOT, directory, entry.name())
                                .thenCompose(child -> visit(path + "/" + name(entry), child))));
    }

    private static String name(Entry entry) {
        return entry.name().toStringUtf8();
    }

    private CompletableFuture<Map<ByteString, ByteString>> xattrs(Attributes attributes) {
        Map<ByteString, ByteString> values = new HashMap<>();
        int mode = attributes.getMode();
        if (!FileMode.isRegular(mode) && !FileMode.isDirectory(mode)) {
            return CompletableFuture.completedFuture(values);
        }
        return system.listXattrs(ROOT, attributes.getInode())
                .thenCompose(names -> inTurn(
                        names,
                        name -> system.getXattr(ROOT, attributes.getInode(), name)
                                .thenAccept(value -> values.put(name, value))))
                .thenApply(_ -> values);
    }

    private static <T> CompletableFuture<Void> inTurn(List<T> all, Function<T, CompletableFuture<Void>> work) {
        CompletableFuture<Void> done = CompletableFuture.completedFuture(null);
        for (T one : all) {
            done = done.thenCompose(_ -> work.apply(one));
        }
        return done;
    }

    /** Content of a file. */
    public static CompletableFuture<ByteString> content(FileSystem system, long inode) {
        return system.open(ROOT, inode, READING)
                .thenCompose(opened -> system.read(opened.handle(), 0, WHOLE)
                        .thenApply(Survey::bytes)
                        .thenCompose(content -> system.release(opened.handle()).thenApply(_ -> content)));
    }

    private static ByteString bytes(Payload payload) {
        if (!(payload instanceof Payload.Bytes content)) {
            throw new IllegalStateException("the simulator has no files to send from");
        }
        ByteString bytes = ByteString.copyFrom(ByteBufUtil.getBytes(content.buffer()));
        payload.close();
        return bytes;
    }
}
