package org.beefs.simulator.kernel;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.beefs.common.posix.Failures;
import org.beefs.common.posix.PosixException;
import org.beefs.honeybee.filesystem.AttributeChange;
import org.beefs.honeybee.filesystem.FileSystem;
import org.beefs.honeybee.filesystem.KernelCache;
import org.beefs.honeybee.filesystem.Lifetimes;
import org.beefs.honeybee.fuse.notification.KeptPages;
import org.beefs.honeycomb.memory.MemoryDisk;
import org.beefs.simulator.world.SimHost;
import org.beefs.simulator.world.SimProcess;
import org.beefs.simulator.world.SimScheduler;
import org.jspecify.annotations.Nullable;

/**
 * One mount of a hive in a kernel, with its side of the FUSE protocol and the driver's: what the kernel remembers, what
 * makes it forget, and how long a request and its answer lie between the two. Lives as long as its daemon; what
 * programs have open past the daemon lives on.
 */
public final class SimKernel implements KernelCache {
    private static final long MICROSECOND = 1_000;

    /** How late a thread may take an answer over: below the time after which the daemon tells a second time. */
    private static final long LATEST = 15_000 * MICROSECOND;

    /** One in so many answers is taken over late. */
    private static final int SELDOM_LATE = 10;

    /** For how long the driver waits for pages to go. */
    private static final long PAGE_PATIENCE = 2_000_000 * MICROSECOND;

    private static final int MOST_AHEAD = 5;

    /** One in so many requests finds that memory was short. */
    private static final int SELDOM_SHORT = 40;

    private final SimScheduler scheduler;
    private final SimProcess daemon;
    private final RandomGenerator random;
    private final FileSystem fileSystem;
    private final Lifetimes lifetimes;
    private final boolean hasEpochs;
    private final Dentries dentries;
    private final Inodes inodes;
    private final Flaw flaw;
    private final Pages pages;
    private final KeptPages keptPages = new KeptPages(this::dropPages);
    private final InodeLocks locks = new InodeLocks();
    private final OpenFiles files;
    private int inFlight;
    private boolean unmounted;

    /**
     * Mounts.
     *
     * @param disk of the honeycomb on this machine; null when there is none
     * @param hasEpochs whether it can forget entries, as kernels can since Linux 6.16
     * @param flaw what is wrong with it
     * @param notified how notifications of the daemon reach the kernel
     */
    public SimKernel(
            SimScheduler scheduler,
            SimHost host,
            SimProcess daemon,
            RandomGenerator random,
            FileSystem fileSystem,
            @Nullable MemoryDisk disk,
            boolean hasEpochs,
            Flaw flaw,
            UnaryOperator<KernelCache> notified) {
        this.scheduler = scheduler;
        this.daemon = daemon;
        this.random = random;
        this.fileSystem = fileSystem;
        this.hasEpochs = hasEpochs;
        this.dentries = new Dentries(host::kernelNanos);
        this.flaw = flaw;
        this.pages = new Pages(flaw == Flaw.KEEPS_PAGES);
        this.inodes = new Inodes(host::kernelNanos, pages::drop);
        this.files = new OpenFiles(fileSystem, disk, pages, keptPages);
        this.lifetimes = fileSystem.attach(notified.apply(this));
    }

    /** The system calls of one operation of a program. */
    public SystemCalls calls(Trust trust) {
        return new SystemCalls(this, trust);
    }

    @Override
    public boolean canForgetEntries() {
        return hasEpochs;
    }

    @Override
    public void invalidateEntries() {
        dentries.beginEpoch();
    }

    @Override
    public boolean invalidateAttributes(long inode) {
        return inodes.invalidate(inode);
    }

    @Override
    public CompletableFuture<Void> invalidatePages(long inode) {
        return keptPages.invalidate(inode);
    }

    @Override
    public CompletableFuture<Void> invalidateAllPages() {
        return keptPages.invalidateAll();
    }

    /** Before the answer to a change of attributes is written. */
    CompletableFuture<Void> beforeChange(long inode, AttributeChange change) {
        CompletableFuture<Void> gone = keptPages.beforeChange(inode);
        return change.size() == null ? gone : CompletableFuture.completedFuture(null);
    }

    /** As the driver does it: whoever wants to know waits for a bounded time. */
    private CompletableFuture<Void> dropPages(long inode) {
        inodes.invalidate(inode);
        CompletableFuture<Void> dropped = pages.drop(inode).copy();
        daemon.execute(PAGE_PATIENCE, () -> dropped.complete(null));
        return dropped;
    }

    Lifetimes lifetimes() {
        return lifetimes;
    }

    Dentries dentries() {
        return dentries;
    }

    Inodes inodes() {
        return inodes;
    }

    /** Done when something is, also if it failed when failures are swallowed. */
    <T> CompletableFuture<@Nullable T> swallowing(CompletableFuture<@Nullable T> done) {
        return flaw == Flaw.SWALLOWS_FAILURES ? done.exceptionally(failure -> null) : done;
    }

    Pages pages() {
        return pages;
    }

    /** How many pages are read ahead this time. */
    int pagesAhead() {
        return random.nextInt(MOST_AHEAD);
    }

    InodeLocks locks() {
        return locks;
    }

    OpenFiles files() {
        return files;
    }

    /** Whether the daemon hears of recalls now. */
    boolean isWatched() {
        return daemon.isCaughtUp();
    }

    /** Whether nothing is under way that may have changed what is remembered. */
    boolean isQuiet() {
        return inFlight == 0 && isWatched();
    }

    /** The mount is taken away, also from programs that use it: nothing is asked or answered any more. */
    public void unmount() {
        unmounted = true;
    }

    /** Whether somebody answers: the daemon lives, and has not unmounted. */
    boolean isServed() {
        return daemon.alive() && !unmounted;
    }

    /** Something happens in the kernel a moment later, whether the daemon lives or not. */
    void soon(Runnable work) {
        scheduler.schedule(random.nextLong(LATEST), work);
    }

    /** Asks the daemon, which takes the request when it runs, and takes its answer over. */
    <T, R> CompletableFuture<R> ask(Function<FileSystem, CompletableFuture<T>> request, Answer<T, R> answer) {
        shortenMemory();
        CompletableFuture<R> taken = new CompletableFuture<>();
        inFlight++;
        daemon.execute(random.nextLong(50 * MICROSECOND), () -> {
            if (isServed()) {
                request.apply(fileSystem).whenComplete((result, failure) -> {
                    Supplier<R> taking = failure == null ? written(answer, result) : failed(answer, failure);
                    scheduler.schedule(wakeUp(), () -> take(taking, taken));
                });
            }
        });
        return taken;
    }

    private static <T, R> Supplier<R> written(Answer<T, R> answer, T result) {
        try {
            return answer.written(result);
        } catch (PosixException e) { // the driver itself has failed
            return failed(answer, e);
        }
    }

    private static <R> Supplier<R> failed(Answer<?, R> answer, Throwable failure) {
        PosixException cause = Failures.toPosix(failure);
        Runnable taking = answer.failed(cause.errno());
        return () -> {
            taking.run();
            throw cause;
        };
    }

    /** A mount that nobody serves any more answers nobody. */
    private <R> void take(Supplier<R> taking, CompletableFuture<R> taken) {
        inFlight--;
        if (isServed()) {
            try {
                taken.complete(taking.get());
            } catch (PosixException e) {
                taken.completeExceptionally(e);
            }
        }
    }

    private long wakeUp() {
        return random.nextInt(SELDOM_LATE) == 0 ? random.nextLong(LATEST) : random.nextLong(100 * MICROSECOND);
    }

    /** Forgets an inode that is neither open nor asked about. */
    private void shortenMemory() {
        if (inFlight > 0 || random.nextInt(SELDOM_SHORT) != 0) {
            return;
        }
        List<Long> known = inodes.numbers();
        if (!known.isEmpty()) {
            long inode = known.get(random.nextInt(known.size()));
            if (!files.isOpen(inode)) {
                dentries.evict(inode);
                inodes.evict(inode);
                pages.drop(inode);
            }
        }
    }
}
