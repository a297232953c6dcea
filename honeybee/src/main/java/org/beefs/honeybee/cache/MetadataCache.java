package org.beefs.honeybee.cache;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.beefs.common.time.Clock;
import org.beefs.common.time.Timers;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Credentials;
import org.beefs.common.wire.DirectoryPage;
import org.beefs.common.wire.EntryName;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Recall;
import org.beefs.common.wire.Registered;
import org.beefs.honeybee.heldback.HeldBack;
import org.beefs.honeybee.heldback.SendingTerm;
import org.jspecify.annotations.Nullable;

/**
 * What a desktop knows of names and attributes under leases, shared by its mounts. Holds only what the queen-bee has
 * said is leased, while leases hold; whatever leaves it is taken from the kernels that were told of it.
 *
 * <p>Replies and recalls must be brought here in the order in which they come. Thread-safe; no method waits, and no
 * lock is held while a kernel is told.
 */
public final class MetadataCache {
    private static final Duration AT_LEAST = Duration.ofMillis(1);

    private final Clock clock;
    private final Timers timers;
    private final Kernels kernels;

    private final SendingTerm sending;

    // Guarded by this.
    private final LeaseTerm term;
    private final NodeTable nodes;
    private final DirectoryTable directories;

    /**
     * What changes that the queen-bee was asked for may have changed already, though she has not answered. Others may
     * have seen the change, so nothing of it is answered from the cache.
     */
    private final EffectsUnderWay pending = new EffectsUnderWay();

    private final CacheFiller filler;
    private final Delegations delegations;
    private final Decider decider;
    private final WriteLeases writing = new WriteLeases();
    private final CachedAnswers answers;
    private final KernelKnowledge told;
    private boolean watching;

    // Written under the lock.
    private volatile long recalled;
    private volatile long layoutsGeneration = 1;

    /**
     * Makes an empty cache in which nothing is kept before a registration.
     *
     * @param sending for how long what is held back may be sent: while the queen-bee is heard
     * @param supply of inodes that are made under delegations
     * @param mostNodes inodes at a time
     * @param mostEntries entries at a time, and likewise directories
     */
    public MetadataCache(
            Clock clock, Timers timers, SendingTerm sending, InodeSupply supply, int mostNodes, int mostEntries) {
        this.clock = clock;
        this.timers = timers;
        this.kernels = new Kernels(clock, timers);
        this.sending = sending;
        this.term = new LeaseTerm(sending);
        this.nodes = new NodeTable(mostNodes);
        this.directories = new DirectoryTable(mostEntries);
        this.delegations = new Delegations(mostNodes);
        this.filler = new CacheFiller(nodes, directories, writing, delegations);
        this.decider = new Decider(nodes, directories, delegations, pending, supply);
        this.answers = new CachedAnswers(clock, nodes, directories, pending, delegations);
        this.told = new KernelKnowledge(clock, term, nodes, directories, pending, delegations, writing);
    }

    /** The cache as one more mount sees it. */
    public CacheView view() {
        return new CacheView(this, kernels);
    }

    /**
     * An entry's inode, as {@code Lookup} would answer; null when the queen-bee must be asked. Throws EACCES, but not
     * ENOENT.
     */
    public @Nullable CompletableFuture<Node> lookup(Credentials caller, long directory, ByteString name) {
        dropIfSilent();
        synchronized (this) {
            return answers.lookup(caller, directory, name);
        }
    }

    /** An inode's node; null when the queen-bee must be asked. */
    public @Nullable Node node(long inode) {
        dropIfSilent();
        synchronized (this) {
            return answers.node(inode);
        }
    }

    /**
     * An inode's node without size, blocks and times, which a lease does not cover; null when the queen-bee must be
     * asked.
     */
    public @Nullable Node rights(long inode) {
        dropIfSilent();
        synchronized (this) {
            return answers.rights(inode);
        }
    }

    /**
     * A clean file's node with the layout by which its content can be read, for somebody who has this right; null when
     * that is not known, or the right is missing.
     */
    public @Nullable Node readable(Credentials caller, long inode, int mask) {
        dropIfSilent();
        synchronized (this) {
            return answers.readable(caller, inode, mask);
        }
    }

    /** A clean file, for whoever has the right to read it; null when that is not known. */
    public @Nullable ReadableFile readableFile(long inode) {
        dropIfSilent();
        synchronized (this) {
            return answers.readableFile(inode);
        }
    }

    /** As {@code CheckAccess}: fails with EACCES; false when the queen-bee must be asked. */
    public boolean checkAccess(Credentials caller, long inode, int mask) {
        dropIfSilent();
        synchronized (this) {
            return answers.mayDo(caller, inode, mask);
        }
    }

    /** As {@code ListDirectory}; null when the queen-bee must be asked. */
    public @Nullable DirectoryPage page(long directory, long after, int limit, boolean withNodes) {
        dropIfSilent();
        synchronized (this) {
            return answers.page(directory, after, limit, withNodes);
        }
    }

    /**
     * The cookie after which the queen-bee is to be asked for the rest of a listing that is cached from its beginning.
     * Empty when no listing is, when it is complete, when it does not reach {@code after}, or when more than
     * {@code enough} entries behind that are cached.
     */
    public synchronized OptionalLong endOfListing(long directory, long after, int enough) {
        CachedDirectory known = directories.find(directory);
        CachedListing listing = known == null ? null : known.begun();
        return listing == null ? OptionalLong.empty() : listing.end(after, enough);
    }

    /** Whether a directory's whole listing is known. */
    public synchronized boolean isListed(long directory) {
        CachedDirectory known = directories.find(directory);
        return known != null && known.listing() != null;
    }

    /** What is known of the entries in a directory: names with their inodes. A copy. */
    public synchronized List<Map.Entry<ByteString, Long>> children(long directory) {
        return directories.children(directory);
    }

    /** This desktop's honeycomb has got replicas of files: what is known of where these can be read is out of date. */
    public synchronized void copied(List<Long> inodes) {
        for (long inode : inodes) {
            CachedNode known = nodes.find(inode);
            if (known != null) {
                known.forgetReadable();
            }
        }
    }

    /** What has become of questions to the cache since the daemon's start. */
    public synchronized CacheCounts counts() {
        return new CacheCounts(answers.hits(), answers.misses(), nodes.size(), recalled);
    }

    /** The stamp of a request that is about to be sent. */
    public synchronized Stamp stamp() {
        long now = clock.bootNanos();
        return new Stamp(term.generation(), now, now);
    }

    /**
     * A change is about to be sent: what it may have changed is not answered from here any more.
     *
     * @return ends that, when the change was answered or nobody will learn what became of it
     */
    public synchronized Runnable changing(QueenRequest change) {
        Effects effects = Effects.of(change, directories);
        pending.begin(effects);
        return () -> changed(effects);
    }

    private synchronized void changed(Effects effects) {
        pending.end(effects);
    }

    /**
     * The queen-bee has answered a request. Done when the kernels of this desktop know what has changed by it.
     *
     * @param stamp of the request; for a change that was sent more than once the generation of the first time
     * @param origin the view through which it was made; null for requests of no mount
     */
    public CompletableFuture<Void> answered(
            Stamp stamp, QueenRequest request, QueenReply reply, @Nullable CacheView origin) {
        heard(stamp.sentAt());
        Update update;
        synchronized (this) {
            update = updateBy(origin, request, stamp.begunAt(), clock.bootNanos());
            boolean leases = term.holds(update.now()) && stamp.generation() == term.generation();
            filler.takeReply(request, reply, leases, update);
        }
        return tell(update);
    }

    /**
     * Makes a change under delegations; null when the queen-bee has to be asked first. Who asks her afterwards does so
     * in the order of these calls.
     *
     * @param origin as in {@link #answered}
     * @param possible asked in the same moment; otherwise the queen-bee has to be asked too
     */
    public @Nullable Decided decide(QueenRequest change, @Nullable CacheView origin, BooleanSupplier possible) {
        dropIfSilent();
        QueenRequest.Builder chosen = change.toBuilder();
        synchronized (this) {
            long now = clock.bootNanos();
            QueenReply reply = term.holds(now) && possible.getAsBoolean() ? decider.decide(chosen, clock.now()) : null;
            if (reply == null) {
                return null;
            }
            QueenRequest request = chosen.build();
            Effects effects = Effects.of(request, directories);
            Update update = updateBy(origin, request, now, now);
            filler.takeDecided(request, reply, effects, update);
            delegations.begin(effects);
            return new Decided(request, reply, term.generation(), effects, () -> tell(update));
        }
    }

    /**
     * Tells kernels what an update has taken from them; done when they use it no more. Until then whoever finds the
     * same tells them too, because he cannot wait for this thread.
     */
    private CompletableFuture<Void> tell(Update update) {
        if (update.invalidation().isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Void> told = kernels.send(update.invalidation());
        synchronized (this) {
            directories.told(update);
        }
        return told.whenComplete((_, failure) -> {
            if (failure == null) {
                forgotten(update.invalidation());
            }
        });
    }

    private synchronized void forgotten(Invalidation invalidation) {
        nodes.told(invalidation);
    }

    private Update updateBy(@Nullable CacheView origin, QueenRequest request, long begunAt, long now) {
        return origin == null
                ? Update.at(now)
                : new Update(now, origin.bit(), KernelLocks.of(request, begunAt, directories), new Invalidation());
    }

    /** A later decision about the same has taken this one in: she is asked for both at once. */
    public synchronized void putTogether(Decided earlier) {
        delegations.end(earlier.effects());
    }

    /** The queen-bee has answered what was decided here, or never will. */
    public void answeredDecided(Decided decided, long sentAt, @Nullable QueenReply reply) {
        if (reply != null) {
            heard(sentAt);
        }
        Update update = Update.at(clock.bootNanos());
        synchronized (this) {
            delegations.end(decided.effects());
            if (reply != null && term.holds(update.now()) && decided.generation() == term.generation()) {
                filler.takeAnswered(decided.request(), reply, decided.effects(), update);
            }
        }
        tell(update);
    }

    /** The queen-bee has answered something that was sent then, on the boot clock. */
    public void heard(long sentAt) {
        dropIfSilent(); // before this answer makes it look as if there had been no silence
        synchronized (this) {
            if (term.isSilent(clock.bootNanos())) {
                layoutsGeneration++;
            }
            term.heard(sentAt);
        }
    }

    /**
     * Stops using what is recalled. Done, with the directories that are given up as a whole, when no kernel uses it
     * either.
     */
    public CompletableFuture<List<Long>> recall(Recall recall) {
        dropIfSilent();
        Update update = Update.at(clock.bootNanos());
        List<Long> released;
        synchronized (this) {
            recalled++;
            if (recall.getEverything()) {
                clear(update);
            }
            recall.getEntriesList().forEach(entry -> directories.forget(entry.getDirectory(), entry.getName()));
            released = recall.getEntriesList().stream()
                    .map(EntryName::getDirectory)
                    .distinct()
                    .filter(directory -> directories.changedByOthers(directory, update))
                    .toList();
            delegations.removeAll(recall.getInodesList());
            for (long inode : recall.getInodesList()) {
                writing.remove(inode);
                nodes.end(inode, update);
                directories.forgetListing(inode);
            }
        }
        CompletableFuture<Void> flushed =
                recall.getEverything() ? sending.heldBack().flushAll() : flush(recall.getInodesList());
        return tell(update).thenCompose(done -> flushed).thenApply(done -> released);
    }

    /**
     * A registration is about to be sent, or the session ends: no lease holds until {@link #registered}. Done when
     * nothing is held back any more that others might look for then, or that has taken too long. For what is left
     * {@link SendingTerm#stop} follows.
     */
    public CompletableFuture<Void> end() {
        return sending.awaitFlush(drop(LeaseTerm::end));
    }

    /** The registration that was sent then has been answered. */
    public void registered(long sentAt, Registered terms) {
        synchronized (this) {
            term.begin(sentAt, terms);
            layoutsGeneration++;
            if (watching || terms.getCacheMillis() == 0) {
                return;
            }
            watching = true;
        }
        watch();
    }

    /** Forgets everything, and does not keep what was asked for before. */
    public void drop() {
        drop(LeaseTerm::startGeneration);
    }

    synchronized long tellAttributes(CacheView view, Attributes attributes) {
        return told.attributes(view, attributes);
    }

    synchronized long tellChangedAttributes(CacheView view, Attributes attributes) {
        return told.changedAttributes(view, attributes);
    }

    synchronized long tellMadeAttributes(CacheView view, Attributes attributes) {
        return told.madeAttributes(view, attributes);
    }

    synchronized void tellAccessControl(CacheView view, long inode) {
        told.accessControl(view, inode);
    }

    synchronized long tellEntry(CacheView view, long directory, ByteString name, long inode, boolean listed) {
        return told.entry(view, directory, name, inode, listed);
    }

    /**
     * The number of the write lease on a file, which is another one when it was away in between; 0 when it is not held.
     * The caller is told when the lease ends ({@link HeldBack#flush}), so the number is valid until then.
     */
    public synchronized long writeLease(long inode) {
        return term.holds(clock.bootNanos()) ? writing.number(inode) : 0;
    }

    /** The file is not open for writing any more, and the write lease is over. */
    public void endWriting(long inode) {
        Update update = Update.at(clock.bootNanos());
        synchronized (this) {
            writing.remove(inode);
            nodes.hideIfDirty(inode, update);
        }
        tell(update);
    }

    /**
     * While this number is unchanged, the layouts of files that are open to read are valid: the queen-bee recalls a
     * file before it is written elsewhere. It changes with such a recall, with a registration, and when she is heard
     * after too long a silence. During the silence nothing is known, and content is read where it was.
     */
    public long layoutsGeneration() {
        return layoutsGeneration;
    }

    /** How many recalls have come; counted before anything is done about one. */
    public long recalled() {
        return recalled;
    }

    /** Files that are open here to be read were recalled: their layouts count as valid no more. */
    public synchronized void startLayoutsGeneration() {
        layoutsGeneration++;
    }

    /** Whether the attribute lease on a file that nobody writes is held. */
    synchronized boolean mayKeepPages(long inode) {
        return nodes.hasClean(inode) && !pending.concernsInode(inode) && term.holds(clock.bootNanos());
    }

    /** Forgets what has outlived its leases, here and in the kernels. */
    private void dropIfSilent() {
        long now = clock.bootNanos();
        if (term.holds(now)) {
            return;
        }
        long doubt;
        synchronized (this) {
            doubt = sending.endIfOver();
        }
        if (!isEmpty()) {
            drop();
        }
        sending.stopped(doubt);
    }

    private synchronized boolean isEmpty() {
        return nodes.isEmpty() && directories.isEmpty() && writing.isEmpty() && delegations.isEmpty();
    }

    /** Done when nothing is held back any more. */
    private CompletableFuture<Void> drop(Consumer<LeaseTerm> change) {
        Update update = Update.at(clock.bootNanos());
        synchronized (this) {
            change.accept(term);
            clear(update);
        }
        tell(update);
        return sending.heldBack().flushAll();
    }

    private CompletableFuture<Void> flush(List<Long> inodes) {
        HeldBack heldBack = sending.heldBack();
        return CompletableFuture.allOf(inodes.stream().map(heldBack::flush).toArray(CompletableFuture[]::new));
    }

    private void clear(Update update) {
        nodes.clear(update);
        directories.clear(update);
        writing.clear();
        delegations.clear();
        update.invalidation().addAllPages();
    }

    /** Looks again and again whether the queen-bee was silent for too long, also when nobody asks for anything. */
    private void watch() {
        dropIfSilent();
        long left;
        synchronized (this) {
            watching = term.isRegistered();
            if (!watching) {
                return;
            }
            left = term.endsAt() - clock.bootNanos();
        }
        Duration rest = left > 0 ? Duration.ofNanos(left) : term.silence();
        timers.schedule(rest.compareTo(AT_LEAST) < 0 ? AT_LEAST : rest, this::watch);
    }
}
