package org.beefs.queenbee.namespace;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.beefs.common.posix.AccessControlList;
import org.beefs.common.posix.FileMode;
import org.beefs.common.posix.Stat;
import org.beefs.queenbee.journal.Numbering;
import org.beefs.queenbee.journal.StateBatch;
import org.jspecify.annotations.Nullable;

/**
 * The whole tree in memory. Changed by {@link #apply} only, which also says which records change with it; a mutation
 * that does not fit the namespace is a defect of whoever decided it and throws {@link IllegalStateException}. Not
 * thread-safe.
 */
public final class Namespace {
    /** The root directory. */
    public static final long ROOT = 1;

    /** Positions of {@link #forSome} are below this. */
    public static final long POSITIONS = 1L << InodeTable.HASH_BITS;

    private final InodeTable<Inode> inodes = new InodeTable<>();
    private final Links links = new Links();
    private final RemovedInodes removed = new RemovedInodes();
    private InodeListener listener = InodeListener.NONE;
    private long highestOwn = ROOT;
    private long highestGiven;
    private int dirtyFiles;
    private final ExtraReplicas extras = new ExtraReplicas();
    private final Shared<Secondaries> secondaries = new Shared<>();
    private final Shared<ReplicationSettings> settings = new Shared<>();

    public @Nullable Inode find(long number) {
        return inodes.find(number);
    }

    /**
     * An inode that was removed a while ago and may still be somebody's working directory; null when it is not
     * remembered.
     */
    public @Nullable Inode findRemoved(long number) {
        return removed.find(number);
    }

    /** Number of inodes. */
    public int size() {
        return inodes.size();
    }

    /** The extra replicas of all honeycombs. */
    public ExtraReplicas extras() {
        return extras;
    }

    /** Number of files that somebody may be writing. */
    public int dirtyFiles() {
        return dirtyFiles;
    }

    /** The highest inode number that was ever issued or given to a desktop. */
    public long highest() {
        return Math.max(highestOwn, highestGiven);
    }

    /** The highest inode number that was ever issued and not given to a desktop. */
    public long highestOwn() {
        return highestOwn;
    }

    /** Inodes up to this number were issued or given, though they may be gone, or have yet to come. */
    public void raiseHighest(long issued) {
        if (Numbering.isGiven(issued)) {
            highestGiven = Math.max(highestGiven, issued);
        } else {
            highestOwn = Math.max(highestOwn, issued);
        }
    }

    public void forEach(Consumer<Inode> visitor) {
        inodes.forEach(visitor);
    }

    /**
     * As {@link #forEach}, a part at a time: what is there all the while is seen exactly once, whatever comes and goes.
     * The visitor must not make or remove inodes.
     *
     * @param from 0, or where the part before has ended; below {@link #POSITIONS}
     * @param most about how many inodes
     * @return where the next part begins; 0 when there is none
     */
    public int forSome(int from, int most, Consumer<Inode> visitor) {
        return inodes.forSome(from, most, visitor);
    }

    /** All inodes there are now. */
    public List<Inode> snapshot() {
        List<Inode> all = new ArrayList<>(inodes.size());
        inodes.forEach(all::add);
        return all;
    }

    /** Where an inode has its names, in no particular order. */
    public List<Link> links(Inode inode) {
        return links.of(inode);
    }

    /** Whether an entry is that one of an inode's names, mostly the only one, for which nothing has to be looked up. */
    public boolean isFirstName(Inode inode, Dentry entry) {
        return inode.entry == entry;
    }

    /** Tells of all changes from now on. */
    public void setListener(InodeListener listener) {
        this.listener = listener;
    }

    /**
     * Changes memory, and puts the records that change with it into the batch.
     *
     * @param sequence of the change
     */
    public void apply(Mutation mutation, long sequence, StateBatch batch) {
        Change change = new Change(this, sequence, batch);
        switch (mutation) {
            case Mutation.MakeInode make -> make(make, change);
            case Mutation.MakeUnnamed make -> makeUnnamed(make, change);
            case Mutation.AddLink link -> addLink(link, change);
            case Mutation.RemoveLink unlink -> removeLink(unlink, change);
            case Mutation.RemoveDirectory remove -> removeDirectory(remove, change);
            case Mutation.Move move -> Moves.move(move, change);
            case Mutation.Exchange exchange -> Moves.exchange(exchange, change);
            case Mutation.ChangeAttributes attributes ->
                change.of(attributes.inode(), inode -> changeAttributes(inode, attributes));
            case Mutation.Access access -> access(access, change);
            case Mutation.SetXattr set -> change.of(set.inode(), inode -> setXattr(inode, set));
            case Mutation.RemoveXattr remove -> change.of(remove.inode(), inode -> removeXattr(inode, remove));
            case Mutation.BeginWrite begin -> ContentChanges.beginWrite(change.inode(begin.inode()), change);
            case Mutation.TakeBack back -> ContentChanges.takeBack(change.inode(back.inode()), change);
            case Mutation.Commit commit -> ContentChanges.commit(change.inode(commit.inode()), commit, change);
            case Mutation.ConfirmSeal seal -> ContentChanges.confirmSeal(change.inode(seal.inode()), change);
            case Mutation.SetSecondary set ->
                setSecondaries(change.inode(set.inode()), inode -> ReplicaChanges.set(inode, set), change);
            case Mutation.MarkExtra mark ->
                setSecondaries(change.inode(mark.inode()), inode -> ReplicaChanges.mark(inode, mark), change);
            case Mutation.RemoveSecondary remove ->
                setSecondaries(change.inode(remove.inode()), inode -> ReplicaChanges.remove(inode, remove), change);
            case Mutation.MovePrimary move -> movePrimary(move, change);
            case Mutation.PlaceBlank place -> ReplicaChanges.placeBlank(change.inode(place.inode()), place, change);
            case Mutation.GoBack back -> goBack(back, change);
            case Mutation.SetReplication set -> setReplication(set, change);
            case Mutation.Reap reap -> reap(reap, change);
            case Mutation.CorrectLinks correct -> correctLinks(correct, change);
            case Mutation.Rescue rescue -> rescue(rescue, change);
        }
    }

    /**
     * Changes what is remembered of an inode that was removed; no record changes with it. Of extended attributes, which
     * may be large, only the access control list may be set.
     */
    public static void changeRemoved(Inode inode, Mutation mutation) {
        switch (mutation) {
            case Mutation.ChangeAttributes attributes -> changeAttributes(inode, attributes);
            case Mutation.SetXattr set -> setXattr(inode, set);
            case Mutation.RemoveXattr remove -> removeXattr(inode, remove);
            default -> throw new IllegalStateException("what was removed cannot change by " + mutation);
        }
    }

    /** Makes the root of a new hive. */
    public void makeRoot(int user, int group, long time, long sequence, StateBatch batch) {
        Inode root = newInode(ROOT, new Mutation.Birth(FileMode.DIRECTORY | 0755, user, group, 0, time));
        root.body = new Directory(root);
        root.links = 2;
        insert(root);
        new Change(this, sequence, batch).touched(root);
    }

    /** Adds inodes while loading. */
    void insertAll(List<Inode> loaded) {
        inodes.reserve(loaded.size());
        loaded.forEach(this::insert);
    }

    void insert(Inode inode) {
        share(inode);
        extras.changed(inode, Secondaries.NONE, inode.secondaries);
        inodes.add(inode);
        dirtyFiles += inode.dirty ? 1 : 0;
        raiseHighest(inode.number);
    }

    void setDirty(Inode inode, boolean dirty) {
        if (inode.dirty == dirty) {
            throw new IllegalStateException("inode " + inode.number + " is already " + (dirty ? "dirty" : "clean"));
        }
        inode.dirty = dirty;
        dirtyFiles += dirty ? 1 : -1;
    }

    Links links() {
        return links;
    }

    /** The directory's entry is, or is about to be, in its table: its inode is to know the name. */
    void link(Inode directory, Dentry entry) {
        links.add(entry.inode, directory, entry);
        if (entry.inode.isDirectory()) {
            entry.inode.directory().parent = directory;
        }
    }

    void changed(Inode inode, long sequence) {
        long before = inode.changed;
        inode.changed = sequence;
        listener.changed(inode, before);
    }

    void forget(Inode inode, long sequence) {
        inodes.remove(inode.number);
        extras.changed(inode, inode.secondaries, Secondaries.NONE);
        dirtyFiles -= inode.dirty ? 1 : 0;
        inode.changed = sequence;
        listener.gone(inode);
        if (!inode.isRegular()) {
            removed.remember(inode);
        }
    }

    private void make(Mutation.MakeInode make, Change change) {
        Inode parent = change.directory(make.parent());
        Inode inode = newInode(make.inode(), make.birth());
        if (inode.isDirectory()) {
            inode.body = new Directory(parent);
            inode.links = 2;
            parent.links++;
        } else {
            inode.links = 1;
        }
        if (inode.isSymbolicLink()) {
            inode.body = make.target().toByteArray();
            inode.size = make.target().size();
        }
        add(inode, parent, make.replica(), change);
        change.addEntry(parent, make.name(), make.cookie(), inode, make.birth().time());
    }

    private void makeUnnamed(Mutation.MakeUnnamed make, Change change) {
        Inode inode = newInode(make.inode(), make.birth());
        inode.linkable = make.linkable();
        add(inode, change.directory(make.parent()), make.replica(), change);
    }

    private void add(Inode inode, Inode parent, Mutation.FirstReplica replica, Change change) {
        inode.honeycomb = replica.honeycomb();
        inode.epoch = replica.epoch();
        inode.dirty = replica.dirty();
        inherit(parent, inode);
        insert(inode);
        change.touched(inode);
    }

    static Inode newInode(long number, Mutation.Birth birth) {
        Inode inode = new Inode(number);
        inode.mode = birth.mode();
        inode.uid = birth.uid();
        inode.gid = birth.gid();
        inode.device = birth.device();
        inode.atime = birth.time();
        inode.mtime = birth.time();
        inode.ctime = birth.time();
        inode.btime = birth.time();
        if (inode.isDirectory()) {
            inode.size = Stat.DIRECTORY_SIZE;
            inode.blocks = Stat.DIRECTORY_SIZE / Stat.BLOCK;
        }
        return inode;
    }

    /** The new inode's mode is in step already; a list that says no more than a mode is not kept beside it. */
    private static void inherit(Inode parent, Inode inode) {
        if (inode.isRegular() || inode.isDirectory()) {
            inode.replication = parent.replication;
        }
        ByteString list = parent.defaultList();
        if (list.isEmpty() || inode.isSymbolicLink()) {
            return;
        }
        if (AccessControlList.of(list).isExtended()) {
            put(inode, AccessControlList.ACCESS, list);
        }
        if (inode.isDirectory()) {
            put(inode, AccessControlList.DEFAULT, list);
        }
    }

    private static void put(Inode inode, ByteString name, ByteString value) {
        if (inode.xattrs == null) {
            inode.xattrs = new Xattrs();
        }
        inode.xattrs.put(name, value);
    }

    private void addLink(Mutation.AddLink link, Change change) {
        Inode inode = change.inode(link.inode());
        Change.expect(!inode.isDirectory() && (inode.links > 0 || inode.linkable), "cannot link inode", inode);
        inode.links++;
        inode.linkable = false;
        inode.ctime = link.time();
        change.touched(inode);
        change.addEntry(change.directory(link.parent()), link.name(), link.cookie(), inode, link.time());
    }

    private void removeLink(Mutation.RemoveLink unlink, Change change) {
        Inode parent = change.directory(unlink.parent());
        Dentry entry = change.entry(parent, unlink.name());
        change.removeEntry(parent, entry, unlink.time());
        change.loseLink(entry.inode, unlink.time());
    }

    private void removeDirectory(Mutation.RemoveDirectory remove, Change change) {
        Inode parent = change.directory(remove.parent());
        Dentry entry = change.entry(parent, remove.name());
        change.removeEntry(parent, entry, remove.time());
        change.loseDirectory(parent, entry.inode, remove.time());
    }

    private static void changeAttributes(Inode inode, Mutation.ChangeAttributes attributes) {
        inode.mode = (inode.mode & FileMode.TYPE_MASK) | (attributes.permissions() & FileMode.PERMISSIONS);
        inode.uid = attributes.uid();
        inode.gid = attributes.gid();
        inode.atime = attributes.atime();
        inode.mtime = attributes.mtime();
        inode.ctime = attributes.ctime();
    }

    private static void access(Mutation.Access access, Change change) {
        Inode inode = change.inode(access.inode());
        inode.atime = access.atime();
        change.touched(inode);
    }

    private static void setXattr(Inode inode, Mutation.SetXattr set) {
        put(inode, set.name(), set.value());
        inode.ctime = set.time();
    }

    private static void removeXattr(Inode inode, Mutation.RemoveXattr remove) {
        Xattrs xattrs = inode.xattrs;
        if (xattrs != null) {
            xattrs.remove(remove.name());
            inode.xattrs = xattrs.isEmpty() ? null : xattrs;
        }
        inode.ctime = remove.time();
    }

    private void setSecondaries(Inode inode, Function<Inode, Secondaries> become, Change change) {
        Secondaries former = inode.secondaries;
        inode.secondaries = become.apply(inode);
        replicasChanged(inode, former);
        change.touched(inode);
    }

    private void movePrimary(Mutation.MovePrimary move, Change change) {
        Inode inode = change.inode(move.inode());
        Secondaries former = inode.secondaries;
        ReplicaChanges.movePrimary(inode, move, change);
        replicasChanged(inode, former);
    }

    private void goBack(Mutation.GoBack back, Change change) {
        Inode inode = change.inode(back.inode());
        Secondaries former = inode.secondaries;
        ReplicaChanges.goBack(inode, back, change);
        replicasChanged(inode, former);
    }

    private void replicasChanged(Inode inode, Secondaries former) {
        extras.changed(inode, former, inode.secondaries);
        share(inode);
    }

    private void setReplication(Mutation.SetReplication set, Change change) {
        Inode inode = change.inode(set.inode());
        inode.replication = set.settings();
        inode.ctime = set.time();
        share(inode);
        change.touched(inode);
    }

    /**
     * Makes equal values of several inodes one object; not those of files that lag behind, which differ from file to
     * file and soon change.
     */
    private void share(Inode inode) {
        if (inode.secondaries.areCurrent()) {
            inode.secondaries = secondaries.share(inode.secondaries);
        }
        inode.replication = settings.share(inode.replication);
    }

    private void reap(Mutation.Reap reap, Change change) {
        Inode inode = change.inode(reap.inode());
        Change.expect(inode.links == 0, "still has names: inode", inode);
        change.gone(inode);
    }

    private static void correctLinks(Mutation.CorrectLinks correct, Change change) {
        Inode inode = change.inode(correct.inode());
        inode.links = correct.links();
        change.touched(inode);
    }

    private void rescue(Mutation.Rescue rescue, Change change) {
        Inode inode = change.inode(rescue.inode());
        Inode parent = change.directory(rescue.parent());
        Change.expect(inode.entry == null && inode.number != ROOT, "has a name: inode", inode);
        if (inode.isDirectory()) {
            inode.directory().parent = parent;
            parent.links++;
        } else {
            inode.links = 1;
            inode.linkable = false;
        }
        inode.ctime = rescue.time();
        change.touched(inode);
        change.addEntry(parent, rescue.name(), rescue.cookie(), inode, rescue.time());
    }
}
