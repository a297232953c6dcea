package org.beefs.queenbee.testing;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.Adoption;
import org.beefs.common.wire.Credentials;
import org.beefs.common.wire.DesktopReply;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.common.wire.Fetch;
import org.beefs.common.wire.Fetched;
import org.beefs.common.wire.Heartbeat;
import org.beefs.common.wire.HoneycombOffer;
import org.beefs.common.wire.HoneycombSpace;
import org.beefs.common.wire.Inventory;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Recall;
import org.beefs.common.wire.Record;
import org.beefs.common.wire.Records;
import org.beefs.common.wire.RecordsState;
import org.beefs.common.wire.Register;
import org.beefs.common.wire.Registered;
import org.beefs.common.wire.ReplicaName;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.Seal;
import org.beefs.common.wire.UserActivity;
import org.beefs.common.wire.WakeAddresses;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.session.DesktopConnection;

/** A desktop daemon as the queen-bee sees it, with a honeycomb that is only a table of statuses. */
public final class TestDesktop implements DesktopConnection {
    private static final int UNACKNOWLEDGED = 100;

    /** A recall that is held on to, and what is to be done at its answer. */
    private record Unanswered(CompletableFuture<DesktopReply> reply, Runnable atAnswer) {}

    private final TestHive hive;
    private final String name;
    private final long process;
    private final long boot;
    private final Map<Long, ReplicaStatus> replicas = new HashMap<>();
    private final Map<Long, Record> records = new TreeMap<>();
    private RecordsState recordsState = RecordsState.getDefaultInstance();
    private int recordBatches;
    private final List<DesktopRequest> received = new ArrayList<>();
    private final List<Recall> recalls = new ArrayList<>();
    private final List<Unanswered> unanswered = new ArrayList<>();
    private final List<Long> released = new ArrayList<>();
    private List<Long> foundChanged = List.of();
    private Function<Fetch, Fetched> fetched =
            fetch -> Fetched.newBuilder().setComplete(true).build();
    private Function<Recall, Runnable> onRecall = recall -> () -> {};
    private boolean lettingGo = true;
    private boolean closed;
    private final Set<Long> broken = new HashSet<>();
    private final List<Runnable> held = new ArrayList<>();
    private boolean holding;
    private boolean answering = true;
    private long capacity = 1L << 40;
    private long used;
    private long available = 1L << 40;
    private boolean readOnly;
    private Duration paused = Duration.ZERO;
    private UserActivity userActivity = UserActivity.UNKNOWN;
    private List<ByteString> cards = List.of();
    private String lock = "one machine";
    private long highestInode;
    private Credentials credentials = Credentials.getDefaultInstance();
    private long session;
    private long sequence;
    private long nextHandle = 1;

    public TestDesktop(TestHive hive, String name) {
        this(hive, name, 1, 1);
    }

    public TestDesktop(TestHive hive, String name, long process, long boot) {
        this.hive = hive;
        this.name = name;
        this.process = process;
        this.boot = boot;
    }

    /**
     * Registers with a honeycomb and without open files, and tells that the honeycomb has nothing of which she does not
     * know.
     */
    public TestDesktop registered() {
        register(register());
        inventoried();
        return this;
    }

    /** Inodes whose replicas it was told to remove. */
    public List<Long> dropped() {
        return received().stream()
                .flatMap(request -> request.getDrop().getReplicasList().stream())
                .map(ReplicaName::getInode)
                .toList();
    }

    /** It has told all that it has. */
    public void inventoried() {
        ok(QueenRequest.newBuilder().setInventory(Inventory.getDefaultInstance()));
    }

    /** A registration with a honeycomb, coming back to the session if there was one. */
    public Register.Builder register() {
        return Register.newBuilder()
                .setDesktop(name)
                .setProcess(process)
                .setSession(session)
                .setAcknowledged(sequence + 1)
                .setHoneycomb(HoneycombOffer.newBuilder()
                        .setUuid(uuid(name))
                        .setBoot(boot)
                        .setLock(lock)
                        .setAddress(name + ":1")
                        .setHighestInode(highestInode)
                        .setRecords(recordsState)
                        .setWake(WakeAddresses.newBuilder().addAllCards(cards))
                        .setSpace(space()));
    }

    /** Of its honeycomb. */
    public HoneycombSpace space() {
        return HoneycombSpace.newBuilder()
                .setCapacity(capacity)
                .setUsed(used)
                .setAvailable(available)
                .setReadOnly(readOnly)
                .build();
    }

    public Registered register(Register.Builder register) {
        closed = false;
        Registered registered =
                ok(QueenRequest.newBuilder().setRegister(register)).getRegistered();
        session = registered.getSession();
        return registered;
    }

    public static ByteString uuid(String name) {
        return ByteString.copyFromUtf8((name + "----------------").substring(0, 16));
    }

    /** It has network cards with these addresses. */
    public TestDesktop withCards(ByteString... addresses) {
        cards = List.of(addresses);
        return this;
    }

    /** It runs on another machine than all that were not told so. */
    public TestDesktop onMachine(String other) {
        lock = other;
        return this;
    }

    /** Its honeycomb has replicas of files up to this one. */
    public TestDesktop holding(long inode) {
        highestInode = inode;
        return this;
    }

    /** What becomes of copies that its honeycomb is told to make; otherwise all succeed. */
    public void setFetched(Function<Fetch, Fetched> becomes) {
        fetched = becomes;
    }

    public void setAvailable(long bytes) {
        available = bytes;
    }

    /** Its disk has become read-only, as it says with each heartbeat. */
    public void becomeReadOnly() {
        readOnly = true;
        available = 0;
    }

    /** For how long nothing is to be copied there or from there, as it says with each heartbeat. */
    public void setPaused(Duration time) {
        paused = time;
    }

    /** Whether somebody uses it, likewise. */
    public void setUserActivity(UserActivity activity) {
        userActivity = activity;
    }

    /** What it says now and then. */
    public Heartbeat.Builder heartbeat() {
        return Heartbeat.newBuilder()
                .setSpace(space())
                .setPausedMillis(paused.toMillis())
                .setUserActivity(userActivity);
    }

    /** What its honeycomb can hold and holds, on a disk that has room for all that. */
    public void setSpace(long capacity, long used) {
        this.capacity = capacity;
        this.used = used;
        this.available = capacity - used;
    }

    /** On whose behalf later requests are made. */
    public TestDesktop as(int uid, int gid, Integer... groups) {
        credentials = Credentials.newBuilder()
                .setUid(uid)
                .setGid(gid)
                .addAllGroups(List.of(groups))
                .build();
        return this;
    }

    public String name() {
        return name;
    }

    public long session() {
        return session;
    }

    public long newHandle() {
        return nextHandle++;
    }

    /**
     * Makes a file in the root, writes and closes it.
     *
     * @param written what is told of the replica then, by the inode's number
     * @return that number
     */
    public long createWritten(String name, LongFunction<ReplicaStatus> written) {
        long handle = 1000 + newHandle();
        long inode = ok(Ask.create(Namespace.ROOT, name, 0644, handle))
                .getNode()
                .getAttributes()
                .getInode();
        ok(Ask.release(inode, handle, written.apply(inode)));
        return inode;
    }

    /** Opens a file to write, and answers the handle. */
    public long openToWrite(long inode) {
        long handle = 1000 + newHandle();
        ok(Ask.open(inode, handle, false, true));
        return handle;
    }

    /** The number of the last request that changed something. */
    public long sequence() {
        return sequence;
    }

    /**
     * A request with session and credentials, numbered as the next that changes something; all but the newest answers
     * count as received.
     */
    public QueenRequest numbered(QueenRequest.Builder request) {
        if (request.getAcknowledged() == 0) {
            request.setAcknowledged(Math.max(1, sequence - UNACKNOWLEDGED));
        }
        return request.setSession(session)
                .setSequence(++sequence)
                .setCredentials(credentials)
                .build();
    }

    /** Sends a request that must succeed. */
    public QueenReply ok(QueenRequest.Builder request) {
        QueenReply reply = send(request);
        assertThat(reply.getFailure())
                .as("%s", request)
                .isEqualTo(QueenReply.getDefaultInstance().getFailure());
        assertThat(reply.getUnknownSession()).as("unknown session").isFalse();
        return reply;
    }

    /** Sends a request that must fail, and answers how. */
    public Errno fails(QueenRequest.Builder request) {
        QueenReply reply = send(request);
        assertThat(reply.hasFailure()).as("%s should fail", request).isTrue();
        return Errno.of(reply.getFailure().getErrno());
    }

    public QueenReply send(QueenRequest.Builder request) {
        return send(request.hasRegister() ? request.build() : numbered(request));
    }

    /** Sends a request as it is; it must be answered at once. */
    public QueenReply send(QueenRequest request) {
        CompletableFuture<QueenReply> reply = submit(request);
        assertThat(reply).as("%s is answered", request).isCompleted();
        return reply.join();
    }

    public CompletableFuture<QueenReply> submit(QueenRequest request) {
        CompletableFuture<QueenReply> reply = hive.submit(request, this);
        hive.run();
        return reply;
    }

    public CompletableFuture<QueenReply> submit(QueenRequest.Builder request) {
        return submit(numbered(request));
    }

    /** Something has changed this replica. */
    public ReplicaStatus replica(long inode, ReplicaStatus.Builder status) {
        ReplicaStatus built = status.setInode(inode).setExists(true).build();
        replicas.put(inode, built);
        return built;
    }

    public Map<Long, ReplicaStatus> replicas() {
        return replicas;
    }

    /** What its catalog has, by inode. */
    public Map<Long, Record> records() {
        return records;
    }

    /** How often its catalog was told something. */
    public int recordBatches() {
        return recordBatches;
    }

    public RecordsState recordsState() {
        return recordsState;
    }

    /** Its catalog is lost. */
    public void loseRecords() {
        records.clear();
        recordsState = RecordsState.getDefaultInstance();
    }

    /** What the queen-bee has asked but for recalls and records, in order. */
    public List<DesktopRequest> received() {
        return received;
    }

    /** What was recalled, in order. */
    public List<Recall> recalls() {
        return recalls;
    }

    /** Keeps answers to recalls back. */
    public void holdOn() {
        lettingGo = false;
    }

    /** Answers the recalls that were kept back, and from now on all at once. */
    public void letGo() {
        lettingGo = true;
        letGoOnce();
    }

    /** Answers the recalls that were kept back so far. */
    public void letGoOnce() {
        List<Unanswered> answered = List.copyOf(unanswered);
        unanswered.clear();
        answered.forEach(this::answer);
        hive.run();
    }

    /** Answers the oldest of the recalls that were kept back. */
    public void answerOldest() {
        answer(unanswered.removeFirst());
        hive.run();
    }

    /** Hears of each recall, and does what that says when it is answered. */
    public void setRecallListener(Function<Recall, Runnable> listener) {
        onRecall = listener;
    }

    /** Answers recalls by giving up this directory. */
    public void releaseDirectory(long inode) {
        released.add(inode);
    }

    /** What it answers to each request to seal. */
    public void findChanged(List<Long> inodes) {
        foundChanged = inodes;
    }

    /** Whether the queen-bee has ended the connection since the last registration. */
    public boolean isClosed() {
        return closed;
    }

    /** Whether it answers what the queen-bee asks; otherwise that fails. */
    public void setAnswering(boolean answering) {
        this.answering = answering;
    }

    /** Keeps answers back that tell how replicas are now. */
    public void holdAnswers() {
        holding = true;
    }

    /** Answers at once what is asked from now on; what was held back stays so until {@link #answerHeld}. */
    public void holdNoMore() {
        holding = false;
    }

    /** Lets the answers go that were held back, and holds no more. */
    public void answerHeld() {
        holding = false;
        List<Runnable> answers = List.copyOf(held);
        held.clear();
        answers.forEach(Runnable::run);
        hive.run();
    }

    /** The answers that were held back are lost, and no more are held. */
    public void loseHeld() {
        holding = false;
        held.clear();
    }

    /** Its honeycomb fails in whatever is about this replica. */
    public void breakReplica(long inode) {
        broken.add(inode);
    }

    /** All replicas can be used again. */
    public void repair() {
        broken.clear();
    }

    public void disconnect() {
        hive.queenBee().disconnected(this);
        hive.run();
    }

    @Override
    public CompletableFuture<DesktopReply> call(DesktopRequest request, Duration deadline) {
        if (request.hasRecall()) {
            return recall(request.getRecall(), deadline);
        }
        if (request.hasRecords() && answering) {
            return CompletableFuture.completedFuture(keep(request.getRecords()));
        }
        received.add(request);
        if (!answering) {
            return CompletableFuture.failedFuture(new PosixException(Errno.ETIMEDOUT, "no answer"));
        }
        if (names(request).anyMatch(broken::contains)) {
            return CompletableFuture.completedFuture(DesktopReply.newBuilder()
                    .setFailure(new PosixException(Errno.EIO, "the disk is broken").toFailure())
                    .build());
        }
        request.getDrop().getReplicasList().forEach(replica -> replicas.remove(replica.getInode()));
        DesktopReply.Builder reply = DesktopReply.newBuilder();
        for (ReplicaName replica : request.getExamine().getReplicasList()) {
            reply.addStatuses(replicas.getOrDefault(
                    replica.getInode(),
                    ReplicaStatus.newBuilder().setInode(replica.getInode()).build()));
        }
        for (Fetch fetch : request.getFetch().getFetchesList()) {
            reply.addFetched(fetched.apply(fetch));
        }
        if (request.hasSeal()) {
            reply.addAllChanged(foundChanged);
        }
        for (Adoption adoption : request.getAdopt().getAdoptionsList()) {
            reply.addStatuses(adopt(adoption));
        }
        if (holding) {
            CompletableFuture<DesktopReply> later = new CompletableFuture<>();
            held.add(() -> later.complete(reply.build()));
            return later;
        }
        return CompletableFuture.completedFuture(reply.build());
    }

    private DesktopReply keep(Records written) {
        recordBatches++;
        written.getRecordsList()
                .forEach(record ->
                        records.merge(record.getInode(), record, (a, b) -> b.getSequence() >= a.getSequence() ? b : a));
        written.getForgottenList().forEach(records::remove);
        recordsState = RecordsState.newBuilder()
                .setHive(written.getHive())
                .setComplete(Math.max(recordsState.getComplete(), written.getComplete()))
                .build();
        return DesktopReply.getDefaultInstance();
    }

    private ReplicaStatus adopt(Adoption adoption) {
        long to = adoption.getTo().getInode();
        ReplicaStatus held = replicas.remove(adoption.getFrom().getInode());
        return held == null
                ? replicas.getOrDefault(
                        to, ReplicaStatus.newBuilder().setInode(to).build())
                : replica(to, held.toBuilder());
    }

    private CompletableFuture<DesktopReply> recall(Recall recall, Duration deadline) {
        recalls.add(recall);
        CompletableFuture<DesktopReply> later = new CompletableFuture<>();
        Unanswered held = new Unanswered(later, onRecall.apply(recall));
        if (lettingGo) {
            answer(held);
            return later;
        }
        unanswered.add(held);
        hive.time()
                .schedule(
                        deadline,
                        () -> later.completeExceptionally(new PosixException(Errno.ETIMEDOUT, "no answer in time")));
        return later;
    }

    private void answer(Unanswered recall) {
        recall.atAnswer.run();
        recall.reply.complete(
                DesktopReply.newBuilder().addAllReleasedDirectories(released).build());
    }

    @Override
    public void close() {
        closed = true;
        hive.queenBee().disconnected(this);
    }

    private static Stream<Long> names(DesktopRequest request) {
        return Stream.of(
                        request.getDrop().getReplicasList().stream(),
                        request.getExamine().getReplicasList().stream(),
                        request.getSeal().getSealsList().stream().map(Seal::getReplica),
                        request.getAdopt().getAdoptionsList().stream().map(Adoption::getFrom))
                .flatMap(Function.identity())
                .map(ReplicaName::getInode);
    }

    @Override
    public String peer() {
        return name;
    }
}
