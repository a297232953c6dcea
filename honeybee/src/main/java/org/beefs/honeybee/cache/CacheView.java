package org.beefs.honeybee.cache;

import com.google.protobuf.ByteString;
import java.util.function.UnaryOperator;
import org.beefs.common.wire.Attributes;
import org.beefs.honeybee.filesystem.KernelCache;
import org.beefs.honeybee.filesystem.Lifetimes;

/**
 * The cache as one mount sees it. Changes made through it are told to the kernels of other mounts; its own kernel knows
 * what it does itself. Thread-safe.
 */
public final class CacheView implements Lifetimes {
    private final MetadataCache cache;
    private final Kernels kernels;

    /** Its place in sets of views; 0 without a kernel that may keep something. */
    private volatile long bit;

    private volatile boolean mayKeepEntries;

    private volatile UnaryOperator<Attributes> shown = UnaryOperator.identity();

    CacheView(MetadataCache cache, Kernels kernels) {
        this.cache = cache;
        this.kernels = kernels;
    }

    /**
     * Sets how the mount shows cached attributes. The kernel may keep what the mount adds to them as long as the
     * attributes themselves.
     *
     * @param as called under the cache's lock, so it must not wait
     */
    public void show(UnaryOperator<Attributes> as) {
        shown = as;
    }

    /** Whether the mount shows what is cached like this. */
    boolean shows(Attributes cached, Attributes like) {
        return cached.equals(like) || shown.apply(cached).equals(like);
    }

    /** A kernel serves itself from this view from now on. */
    public Lifetimes attach(KernelCache kernel) {
        mayKeepEntries = kernel.canForgetEntries();
        bit = kernels.add(kernel);
        return this;
    }

    long bit() {
        return bit;
    }

    @Override
    public long attributes(Attributes attributes) {
        return bit == 0 ? 0 : cache.tellAttributes(this, attributes);
    }

    @Override
    public long changedAttributes(Attributes attributes) {
        return bit == 0 ? 0 : cache.tellChangedAttributes(this, attributes);
    }

    @Override
    public long madeAttributes(Attributes attributes) {
        return bit == 0 ? 0 : cache.tellMadeAttributes(this, attributes);
    }

    @Override
    public long entry(long directory, ByteString name, long inode) {
        return bit != 0 && mayKeepEntries ? cache.tellEntry(this, directory, name, inode, false) : 0;
    }

    @Override
    public long listedEntry(long directory, ByteString name, long inode) {
        return bit != 0 && mayKeepEntries ? cache.tellEntry(this, directory, name, inode, true) : 0;
    }

    @Override
    public boolean pages(long inode) {
        return bit != 0 && cache.mayKeepPages(inode);
    }

    @Override
    public void accessControl(long inode) {
        if (bit != 0) {
            cache.tellAccessControl(this, inode);
        }
    }

    @Override
    public void close() {
        kernels.remove(bit);
        bit = 0;
    }
}
