package org.beefs.honeybee.fake;

import com.google.protobuf.ByteString;
import com.google.protobuf.Parser;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.FileMode;
import org.beefs.common.posix.PosixException;
import org.beefs.common.rpc.MemoryNetwork;
import org.beefs.common.rpc.Message;
import org.beefs.common.rpc.Payload;
import org.beefs.common.time.Timers;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.DesktopReply;
import org.beefs.common.wire.DesktopRequest;
import org.beefs.common.wire.DirectoryEntry;
import org.beefs.common.wire.DirectoryPage;
import org.beefs.common.wire.ExplainedWaits;
import org.beefs.common.wire.FileSystemSpace;
import org.beefs.common.wire.Inventory;
import org.beefs.common.wire.Layout;
import org.beefs.common.wire.ListDirectory;
import org.beefs.common.wire.LockState;
import org.beefs.common.wire.LocksGranted;
import org.beefs.common.wire.NewInodes;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Recall;
import org.beefs.common.wire.Register;
import org.beefs.common.wire.Registered;
import org.beefs.common.wire.Release;
import org.beefs.common.wire.ReplicaName;
import org.beefs.common.wire.ReplicaNames;
import org.beefs.common.wire.SetAttributes;
import org.beefs.common.wire.Timestamp;
import org.jspecify.annotations.Nullable;

/**
 * A queen-bee of one directory that knows sessions, sequences and who has what open. Permits everything. Recalls
 * nothing by herself: tests do.
 */
public final class FakeQueen extends FakeServer<QueenRequest> {
    public static final int PORT = 7000;
    public static final Timestamp DECIDED_NOW =
            Timestamp.newBuilder().setSeconds(4_000_000_000L).build();

    private final Node.Builder root =
            Node.newBuilder().setAttributes(Attributes.newBuilder().setInode(1).setMode(0040755));
    private final Map<Long, Node.Builder> inodes = new TreeMap<>();
    private final Map<ByteString, Long> names = new HashMap<>();
    public final List<Release> releases = new ArrayList<>();
    public final List<Register> registers = new ArrayList<>();
    public final Set<Long> lostHandles = new HashSet<>();
    public final List<ReplicaName> lostReplicas = new ArrayList<>();
    /** Whether all replicas that desktops tell digests of are as they should be. */
    public boolean agrees;

    public ReplicaNames unwanted = ReplicaNames.getDefaultInstance();
    public Layout newFiles = Layout.getDefaultInstance();
    public @Nullable PosixException refusal;

    /** Why she ends sessions; empty when she does not remember. */
    public String endings = "";

    public boolean ignoresRegisters;

    /** Files that others have used since, for who holds something back of them. */
    public List<Long> overtaken = List.of();
    /** What is not carried out before {@link #letGo}. */
    public QueenRequest.OperationCase held = QueenRequest.OperationCase.OPERATION_NOT_SET;

    /** For so long a desktop changes contents without hearing her. */
    public Duration fence = Duration.ofSeconds(25);

    /** For so long she lets a question wait for other desktops. */
    public Duration longestWait = Duration.ofMinutes(10);

    /** Why content is not on as many disks as it has to be; null when it is. */
    public @Nullable PosixException unsecured;

    /** Whether every answer leases what it says. */
    public boolean grants;

    /** What SetLock is answered. */
    public LockState lockState = LockState.newBuilder().setHeld(true).build();

    /** In its place, if there is one. */
    public @Nullable PosixException lockRefusal;

    /** What ExplainWaits is answered. */
    public ExplainedWaits explained = ExplainedWaits.getDefaultInstance();

    /** Whether something can leave a honeycomb that is full. */
    public boolean makesRoom;

    /** Whether everybody who opens for writing gets the write lease. */
    public boolean grantsWriting;

    /** Whether she changes nothing, nor carries out what registrations bring. */
    public boolean isReadOnly;

    /** What is given to make inodes with. With that, each directory that is made is delegated. */
    public NewInodes newInodes = NewInodes.getDefaultInstance();

    /** What changes are answered that were decided. */
    public @Nullable PosixException decidedRefusal;

    /** Whether decided changes were made before, so that there is nothing to answer. */
    public boolean decidedBefore;

    /** Whether listings that nobody has asked for are refused. */
    public boolean refusesAhead;

    /** The change of which releases are answered, and the last one that is on her disk. */
    public long released;

    public long durable;

    public long session = 1;
    private long lastInode = 100;
    /** Inodes that are not in the root. */
    private final Map<Long, Long> parents = new HashMap<>();

    private int changes;

    public FakeQueen(MemoryNetwork network, Timers timers) {
        super(network, timers, "queenbee");
    }

    /** Changes carried out. */
    public int changes() {
        return changes;
    }

    /** As when it was silent for longer than the lease. */
    public void endSession() {
        session++;
        answers.clear();
    }

    public long addFile(String name, Layout.Builder layout, Attributes.Builder attributes) {
        long inode = ++lastInode;
        inodes.put(
                inode,
                Node.newBuilder()
                        .setAttributes(attributes.setInode(inode).setLinks(1))
                        .setLayout(layout.setInode(inode)));
        names.put(ByteString.copyFromUtf8(name), inode);
        return inode;
    }

    /** An empty directory. */
    public long addDirectory(long parent, String name) {
        long inode = addFile(
                name,
                Layout.newBuilder(),
                Attributes.newBuilder().setMode(FileMode.DIRECTORY | 0755).setSize(4096));
        parents.put(inode, parent);
        return inode;
    }

    /** What is answered about an inode, to be changed by a test. */
    public Node.Builder node(long inode) {
        return find(inode);
    }

    /** Renames behind everybody's back, and answers the inode. */
    public long rename(String from, String to) {
        long inode = named(ByteString.copyFromUtf8(from));
        names.remove(ByteString.copyFromUtf8(from));
        names.put(ByteString.copyFromUtf8(to), inode);
        return inode;
    }

    /** The inode is gone, and nobody was told. */
    public void forget(long inode) {
        inodes.remove(inode);
        names.values().remove(inode);
    }

    /** Recalls, and answers what the desktop says. */
    public CompletableFuture<Message<DesktopReply>> recall(Recall recall) {
        return newestConnection()
                .call(
                        DesktopRequest.newBuilder().setRecall(recall).build(),
                        DesktopReply.parser(),
                        Duration.ofSeconds(5));
    }

    /** Has the desktop's honeycomb get a replica of a file. */
    public CompletableFuture<Message<DesktopReply>> fetch(long inode) {
        DesktopRequest.Builder request = DesktopRequest.newBuilder();
        request.getFetchBuilder().addFetchesBuilder().getReplicaBuilder().setInode(inode);
        return newestConnection().call(request.build(), DesktopReply.parser(), Duration.ofSeconds(5));
    }

    /** Tells that requests have got the locks that they waited for. */
    public void grantLocks(Long... tickets) {
        LocksGranted granted =
                LocksGranted.newBuilder().addAllTickets(List.of(tickets)).build();
        newestConnection()
                .call(
                        DesktopRequest.newBuilder().setLocksGranted(granted).build(),
                        DesktopReply.parser(),
                        Duration.ofSeconds(5));
    }

    /** The layout of a file, to be changed by a test. */
    public Layout.Builder layout(long inode) {
        return find(inode).getLayoutBuilder();
    }

    public List<QueenRequest> requestsOf(QueenRequest.OperationCase operation) {
        return requests.stream()
                .filter(request -> request.getOperationCase() == operation)
                .toList();
    }

    @Override
    protected Parser<QueenRequest> parser() {
        return QueenRequest.parser();
    }

    @Override
    protected @Nullable String key(QueenRequest request) {
        return request.getSequence() == 0 || request.getSession() != session
                ? null
                : request.getSession() + "/" + request.getSequence();
    }

    @Override
    protected boolean isIgnored(QueenRequest request) {
        return ignoresRegisters && request.hasRegister();
    }

    @Override
    protected boolean isHeld(QueenRequest request) {
        return request.getOperationCase() == held;
    }

    @Override
    protected Answer serve(QueenRequest request, ByteString content) {
        QueenReply.Builder reply = QueenReply.newBuilder();
        try {
            if (request.hasRegister()) {
                reply.setRegistered(register(request.getRegister()));
            } else if (request.getSession() != session) {
                reply.setUnknownSession(true);
            } else {
                changes += request.getSequence() > 0 ? 1 : 0;
                reply.setEntryLeased(grants);
                run(request, reply);
            }
        } catch (PosixException e) {
            reply.setFailure(e.toFailure());
        }
        return new Answer(reply.setDurableSequence(durable).build(), Payload.NONE);
    }

    private Registered register(Register register) {
        registers.add(register);
        if (refusal != null) {
            throw refusal;
        }
        return Registered.newBuilder()
                .setSession(session)
                .setHive(ByteString.copyFromUtf8("0123456789abcdef"))
                .setIncarnation(1)
                .setLeaseMillis(30_000)
                .setHeartbeatMillis(2_000)
                .setFenceMillis(isReadOnly ? 0 : (int) fence.toMillis())
                .addAllLostReplicas(lostReplicas)
                .addAllLostHandles(lostHandles)
                .addAllOvertaken(overtaken)
                .setLongestWaitMillis((int) longestWait.toMillis())
                .setCacheMillis(grants ? 4_000 : 0)
                .setNewInodes(newInodes)
                .setFormerEnded(endings)
                .build();
    }

    private void run(QueenRequest request, QueenReply.Builder reply) {
        if (request.hasDecision() && decidedRefusal != null) {
            throw decidedRefusal;
        }
        if (request.hasDecision() && decidedBefore) {
            return;
        }
        switch (request.getOperationCase()) {
            case LOOKUP -> reply.setNode(answer(find(named(request.getLookup().getName()))));
            case GET_ATTRIBUTES ->
                reply.setNode(answer(find(request.getGetAttributes().getInode())));
            case SET_ATTRIBUTES -> reply.setNode(set(request.getSetAttributes()));
            case CREATE ->
                reply.setNode(create(
                                request.getCreate().getName(),
                                request.getDecision().getInode()))
                        .addTouched(answer(root));
            case MAKE_DIRECTORY -> makeDirectory(request, reply);
            case LINK -> {
                names.put(request.getLink().getName(), request.getLink().getInode());
                reply.setNode(answer(find(request.getLink().getInode())));
            }
            case UNLINK -> {
                inodes.remove(named(request.getUnlink().getName()));
                names.remove(request.getUnlink().getName());
                reply.addTouched(answer(root));
            }
            case OPEN ->
                reply.setNode(
                        open(request.getOpen().getInode(), request.getOpen().getWrite()));
            case RELEASE -> {
                releases.add(request.getRelease());
                reply.setSequence(released);
            }
            case LIST_DIRECTORY -> reply.setDirectoryPage(list(request.getListDirectory()));
            case FILE_SYSTEM_STATUS ->
                reply.setFileSystemSpace(
                        FileSystemSpace.newBuilder().setCapacity(1000).setAvailable(400));
            case SET_LOCK -> reply.setLockState(setLock());
            case EXPLAIN_WAITS -> reply.setExplainedWaits(explained);
            case MAKE_ROOM -> makeRoom();
            case SECURE_CONTENT -> secureContent();
            case INVENTORY -> takeInventory(request.getInventory(), reply);
            default -> {}
        }
    }

    private void takeInventory(Inventory inventory, QueenReply.Builder reply) {
        if (inventory.getRangesCount() == 0) {
            reply.setDrop(unwanted);
        } else if (!agrees) {
            IntStream.range(0, inventory.getRangesCount()).forEach(reply.getInventoryDifferencesBuilder()::addRanges);
        }
    }

    private void makeRoom() {
        if (!makesRoom) {
            throw new PosixException(Errno.ENOSPC, "nothing can leave it");
        }
    }

    private void secureContent() {
        if (unsecured != null) {
            throw unsecured;
        }
    }

    private LockState setLock() {
        if (lockRefusal != null) {
            throw lockRefusal;
        }
        return lockState;
    }

    private void makeDirectory(QueenRequest request, QueenReply.Builder reply) {
        if (newInodes.getCount() == 0) {
            return;
        }
        if (request.hasDecision()) {
            lastInode = request.getDecision().getInode() - 1;
        }
        String name = request.getMakeDirectory().getName().toStringUtf8();
        long inode = addFile(name, Layout.newBuilder(), Attributes.newBuilder().setMode(FileMode.DIRECTORY | 0755));
        find(inode).clearLayout();
        reply.setNode(answer(find(inode)).toBuilder().setDelegated(grants).setEntriesLeased(grants))
                .setEntryCookie(inode);
    }

    private Node create(ByteString name, long decided) {
        if (decided != 0) {
            lastInode = decided - 1;
        }
        Long known = names.get(name);
        long inode = known != null
                ? known
                : addFile(
                        name.toStringUtf8(),
                        newFiles.toBuilder(),
                        Attributes.newBuilder().setMode(0100644));
        return open(inode, true).toBuilder().setCreated(known == null).build();
    }

    private Node open(long inode, boolean write) {
        if (write && isReadOnly) {
            throw new PosixException(Errno.EROFS, "nothing may be changed");
        }
        Node.Builder node = find(inode);
        if (write) {
            node.getLayoutBuilder().setDirty(true);
        }
        return answer(node).toBuilder().setWriteLeased(write && grantsWriting).build();
    }

    private Node answer(Node.Builder node) {
        return node.clone().setAttributesLeased(grants).build();
    }

    private Node set(SetAttributes set) {
        Node.Builder node = find(set.getInode());
        Attributes.Builder attributes = node.getAttributesBuilder();
        if (set.hasMode()) {
            attributes.setMode((attributes.getMode() & ~07777) | set.getMode());
        }
        if (set.getClearPrivileges()) {
            attributes.setMode(attributes.getMode() & ~06000);
        }
        if (set.hasMtime()) {
            attributes.setMtime(set.getMtime());
        }
        if (set.getMtimeNow()) {
            attributes.setMtime(DECIDED_NOW);
        }
        if (set.hasAtime()) {
            attributes.setAtime(set.getAtime());
        }
        return answer(node);
    }

    private DirectoryPage list(ListDirectory list) {
        if (list.getAhead() && refusesAhead) {
            throw new PosixException(Errno.EAGAIN, "it is not to be had at once");
        }
        DirectoryPage.Builder page =
                DirectoryPage.newBuilder().setEnd(true).setParent(1).setLeased(grants);
        TreeMap<Long, ByteString> byInode = new TreeMap<>();
        names.forEach((name, inode) -> byInode.put(inode, name));
        byInode.keySet().removeIf(inode -> parents.getOrDefault(inode, 1L) != list.getInode());
        for (Map.Entry<Long, ByteString> named :
                byInode.tailMap(list.getAfter(), false).entrySet()) {
            if (page.getEntriesCount() == list.getLimit()) {
                return page.setEnd(false).build();
            }
            Node.Builder node = find(named.getKey());
            DirectoryEntry.Builder entry = DirectoryEntry.newBuilder()
                    .setName(named.getValue())
                    .setInode(named.getKey())
                    .setType(node.getAttributes().getMode() & FileMode.TYPE_MASK)
                    .setCookie(named.getKey());
            if (list.getWithNodes()) {
                entry.setNode(answer(node));
            }
            page.addEntries(entry);
        }
        return page.build();
    }

    private long named(ByteString name) {
        Long inode = names.get(name);
        if (inode == null) {
            throw new PosixException(Errno.ENOENT, "no such name");
        }
        return inode;
    }

    private Node.Builder find(long inode) {
        Node.Builder node = inode == 1 ? root : inodes.get(inode);
        if (node == null) {
            throw new PosixException(Errno.ENOENT, "no inode " + inode);
        }
        return node;
    }
}
