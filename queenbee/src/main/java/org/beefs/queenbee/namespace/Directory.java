package org.beefs.queenbee.namespace;

import com.google.protobuf.ByteString;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The entries of one directory, found by name in constant time and listed by cookie: a listing goes on where it was,
 * whatever comes and goes meanwhile, because an entry never changes its cookie and new ones get higher ones.
 */
public final class Directory {
    /** Cookies 1 and 2 are left to "." and "..". */
    static final long FIRST_COOKIE = 3;

    Inode parent;
    private long nextCookie = FIRST_COOKIE;
    private final DentryTable byName = new DentryTable();
    private final DentryOrder byCookie = new DentryOrder();

    Directory(Inode parent) {
        this.parent = parent;
    }

    /** The directory that this one is in; the root is in itself. */
    public Inode parent() {
        return parent;
    }

    public int size() {
        return byName.size();
    }

    public boolean isEmpty() {
        return byName.size() == 0;
    }

    public @Nullable Dentry find(ByteString name) {
        return byName.find(name.toByteArray());
    }

    /** The cookie for a new entry. */
    public long nextCookie() {
        return nextCookie;
    }

    /** Shows entries with a cookie above {@code after}, in order, until the visitor returns false. */
    public void visit(long after, Predicate<Dentry> visitor) {
        byCookie.visit(after, visitor);
    }

    /**
     * Shows the first entries until the visitor returns false, in bounded time: at most so many, less those among them
     * that were removed not long ago.
     */
    public void visitFirst(int most, Predicate<Dentry> visitor) {
        byCookie.visitFirst(most, visitor);
    }

    void restoreNextCookie(long cookie) {
        nextCookie = Math.max(nextCookie, cookie);
    }

    /** In a tree that is only compared: as another one has it, though entries may have higher cookies. */
    void assumeNextCookie(long cookie) {
        nextCookie = cookie;
    }

    /** Adds entries, while loading, in the order of their cookies. */
    void addAll(List<Dentry> entries) {
        byName.reserve(entries.size());
        byCookie.reserve(entries.size());
        entries.forEach(this::add);
    }

    /** Adds an entry whose name is not there and whose cookie is the highest so far. */
    void add(Dentry entry) {
        byName.add(entry);
        byCookie.append(entry);
        nextCookie = Math.max(nextCookie, entry.cookie + 1);
    }

    void remove(Dentry entry) {
        byName.remove(entry.name);
        byCookie.remove(entry.cookie);
    }
}
