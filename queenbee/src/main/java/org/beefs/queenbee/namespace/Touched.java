package org.beefs.queenbee.namespace;

import com.google.protobuf.ByteString;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.beefs.common.posix.FileName;

/**
 * What mutations change of that which clients may cache: entries, and attributes of inodes. Inodes that the mutations
 * make are not among them, because nobody knows these yet. Nor is the size of a file that ceases to be dirty: nobody
 * caches the size of a dirty file.
 */
public final class Touched {
    /**
     * A name in a directory, whether there is such an entry or not. It has an order, because users choose names: among
     * those of one hash code a hash table finds by their order in logarithmic time.
     */
    public record Entry(long directory, ByteString name) implements Comparable<Entry> {
        /** Whether it is the entry by which a directory knows its parent. */
        public boolean isParent() {
            return name.equals(FileName.DOT_DOT);
        }

        @Override
        public int compareTo(Entry other) {
            int byDirectory = Long.compare(directory, other.directory);
            return byDirectory != 0
                    ? byDirectory
                    : ByteString.unsignedLexicographicalComparator().compare(name, other.name);
        }
    }

    private final Set<Entry> entries = new LinkedHashSet<>();
    private final Set<Inode> inodes = new LinkedHashSet<>();

    private Touched() {}

    /** What the mutations are going to touch in this namespace. */
    public static Touched by(Namespace namespace, Mutation... mutations) {
        Touched touched = new Touched();
        for (Mutation mutation : mutations) {
            touched.add(namespace, mutation);
        }
        return touched;
    }

    /** Touches only an inode, which is not changed but looked at. */
    public static Touched of(Inode inode) {
        return of(List.of(inode));
    }

    /** Touches only inodes, which are not changed but looked at. */
    public static Touched of(Collection<Inode> inodes) {
        Touched touched = new Touched();
        touched.inodes.addAll(inodes);
        return touched;
    }

    /** Entries, like the inodes, in the order in which the mutations name them. */
    public Set<Entry> entries() {
        return entries;
    }

    public Set<Inode> inodes() {
        return inodes;
    }

    /** Whether names in a directory are touched; that of its parent is none. */
    public boolean hasNamesIn(Inode directory) {
        return entries.stream().anyMatch(entry -> entry.directory() == directory.number() && !entry.isParent());
    }

    public boolean isEmpty() {
        return entries.isEmpty() && inodes.isEmpty();
    }

    private void add(Namespace namespace, Mutation mutation) {
        switch (mutation) {
            case Mutation.MakeInode make -> entry(namespace, make.parent(), make.name());
            case Mutation.AddLink link -> {
                entry(namespace, link.parent(), link.name());
                inode(namespace, link.inode());
            }
            case Mutation.RemoveLink unlink -> entry(namespace, unlink.parent(), unlink.name());
            case Mutation.RemoveDirectory remove -> entry(namespace, remove.parent(), remove.name());
            case Mutation.Move move -> {
                entry(namespace, move.oldParent(), move.oldName());
                entry(namespace, move.newParent(), move.newName());
                if (move.oldParent() != move.newParent()) {
                    parentOf(namespace, move.oldParent(), move.oldName());
                }
            }
            case Mutation.Exchange exchange -> {
                entry(namespace, exchange.firstParent(), exchange.firstName());
                entry(namespace, exchange.secondParent(), exchange.secondName());
                if (exchange.firstParent() != exchange.secondParent()) {
                    parentOf(namespace, exchange.firstParent(), exchange.firstName());
                    parentOf(namespace, exchange.secondParent(), exchange.secondName());
                }
            }
            case Mutation.ChangeAttributes change -> inode(namespace, change.inode());
            case Mutation.Access access -> inode(namespace, access.inode());
            case Mutation.SetXattr set -> inode(namespace, set.inode());
            case Mutation.RemoveXattr remove -> inode(namespace, remove.inode());
            case Mutation.BeginWrite begin -> inode(namespace, begin.inode());
            case Mutation.GoBack back -> inode(namespace, back.inode());
            case Mutation.SetReplication set -> inode(namespace, set.inode());
            case Mutation.CorrectLinks correct -> inode(namespace, correct.inode());
            case Mutation.Rescue rescue -> {
                entry(namespace, rescue.parent(), rescue.name());
                if (inode(namespace, rescue.inode()).isDirectory()) {
                    entries.add(new Entry(rescue.inode(), FileName.DOT_DOT));
                }
            }
            case Mutation.MakeUnnamed _,
                    Mutation.TakeBack _,
                    Mutation.Commit _,
                    Mutation.ConfirmSeal _,
                    Mutation.SetSecondary _,
                    Mutation.MarkExtra _,
                    Mutation.MovePrimary _,
                    Mutation.PlaceBlank _,
                    Mutation.RemoveSecondary _,
                    Mutation.Reap _ -> {}
        }
    }

    /** The entry, its directory, and what it stands for before: that gains or loses a name, or its ctime changes. */
    private void entry(Namespace namespace, long directory, ByteString name) {
        Inode parent = inode(namespace, directory);
        entries.add(new Entry(directory, name));
        Dentry entry = parent.directory().find(name);
        if (entry != null) {
            inodes.add(entry.inode());
        }
    }

    /** What the entry stands for gets another parent, which matters to directories. */
    private void parentOf(Namespace namespace, long directory, ByteString name) {
        Dentry entry = inode(namespace, directory).directory().find(name);
        if (entry != null && entry.inode().isDirectory()) {
            entries.add(new Entry(entry.inode().number(), FileName.DOT_DOT));
        }
    }

    private Inode inode(Namespace namespace, long number) {
        Inode inode = namespace.find(number);
        if (inode == null) {
            throw new IllegalStateException("there is no inode " + number);
        }
        inodes.add(inode);
        return inode;
    }
}
