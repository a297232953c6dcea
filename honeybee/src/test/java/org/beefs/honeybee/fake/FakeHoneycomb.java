package org.beefs.honeybee.fake;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Parser;
import io.netty.buffer.Unpooled;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.rpc.MemoryNetwork;
import org.beefs.common.rpc.Payload;
import org.beefs.common.time.Timers;
import org.beefs.common.wire.Capability;
import org.beefs.common.wire.DataReply;
import org.beefs.common.wire.DataRequest;
import org.beefs.common.wire.Hello;
import org.beefs.common.wire.Layout;
import org.beefs.common.wire.ReadFiles;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.ReplicaTarget;
import org.beefs.common.wire.Timestamp;
import org.beefs.common.wire.Write;
import org.jspecify.annotations.Nullable;

/** A honeycomb that keeps replicas in memory, and forgets which requests it carried out when it is stopped. */
public final class FakeHoneycomb extends FakeServer<DataRequest> {
    /** A capability for all files; others are for just one. */
    private static final ByteString ALL_RIGHTS = ByteString.copyFromUtf8("may do all");

    private static final class Replica {
        private ByteString content = ByteString.EMPTY;
        private Timestamp mtime = Timestamp.getDefaultInstance();
        private Timestamp ctime = Timestamp.getDefaultInstance();
        private long version;
    }

    public final ByteString uuid;
    public final String desktop;
    public long epoch = 1;

    /** What is not carried out before {@link #letGo}. */
    public DataRequest.OperationCase held = DataRequest.OperationCase.OPERATION_NOT_SET;

    /** How writes and allocations fail, if they do. */
    public @Nullable Errno failure;

    /** How often they do. */
    public int failuresLeft = Integer.MAX_VALUE;

    private final Map<Long, Replica> replicas = new HashMap<>();
    private long observations;
    private long lostBelow;

    public FakeHoneycomb(MemoryNetwork network, Timers timers, String desktop) {
        super(network, timers, "desktop");
        this.desktop = desktop;
        this.uuid = ByteString.copyFromUtf8((desktop + "................").substring(0, 16));
    }

    @Override
    protected Hello hello() {
        return super.hello().toBuilder().setName(desktop).setHoneycomb(uuid).build();
    }

    /** A layout that names this honeycomb. */
    public Layout.Builder layout() {
        return Layout.newBuilder()
                .setHoneycomb(uuid)
                .setAddress(address())
                .setDesktop(desktop)
                .setEpoch(epoch)
                .setCapability(ALL_RIGHTS);
    }

    public String content(long inode) {
        Replica replica = replicas.get(inode);
        return replica == null ? "" : replica.content.toStringUtf8();
    }

    public void put(long inode, String content, Timestamp mtime) {
        Replica replica = replicas.computeIfAbsent(inode, fresh -> new Replica());
        replica.content = ByteString.copyFromUtf8(content);
        replica.mtime = mtime;
        replica.ctime = mtime;
        replica.version = 0;
    }

    /** What was answered so far, and not synced, may be gone from now on. */
    public void losePower() {
        lostBelow = observations + 1;
    }

    /** The replica is gone. */
    public void lose(long inode) {
        replicas.remove(inode);
    }

    /** The replica carries a version from now on. */
    public void seal(long inode, long version, Timestamp now) {
        Replica replica = Objects.requireNonNull(replicas.get(inode));
        replica.version = version;
        replica.ctime = now;
    }

    public List<DataRequest> requestsOf(DataRequest.OperationCase operation) {
        return requests.stream()
                .filter(request -> request.getOperationCase() == operation)
                .toList();
    }

    @Override
    public void stop() {
        super.stop();
        answers.clear();
    }

    @Override
    protected boolean isHeld(DataRequest request) {
        return request.getOperationCase() == held;
    }

    @Override
    protected Parser<DataRequest> parser() {
        return DataRequest.parser();
    }

    @Override
    protected @Nullable String key(DataRequest request) {
        return request.getSequence() == 0 ? null : request.getSession() + "/" + request.getSequence();
    }

    @Override
    protected Answer serve(DataRequest request, ByteString content) {
        DataReply.Builder reply = DataReply.newBuilder();
        try {
            return run(request, content, reply);
        } catch (PosixException e) {
            return new Answer(reply.setFailure(e.toFailure()).build(), Payload.NONE);
        }
    }

    private Answer run(DataRequest request, ByteString content, DataReply.Builder reply) {
        if (request.hasGetStatuses()) {
            for (ReplicaTarget target : request.getGetStatuses().getTargetsList()) {
                check(target);
                reply.addStatuses(status(target.getInode()));
            }
            return new Answer(reply.build(), Payload.NONE);
        }
        if (request.hasReadFiles()) {
            return readFiles(request.getReadFiles(), reply);
        }
        checkContent(request.getTarget());
        long inode = request.getTarget().getInode();
        if (request.hasRead()) {
            return new Answer(
                    reply.build(),
                    read(inode, request.getRead().getOffset(), request.getRead().getLength()));
        }
        if ((request.hasWrite() || request.hasAllocate()) && failure != null && failuresLeft-- > 0) {
            throw new PosixException(failure, "it fails on purpose");
        }
        change(inode, request, content);
        return new Answer(reply.addStatuses(status(inode)).build(), Payload.NONE);
    }

    private Answer readFiles(ReadFiles read, DataReply.Builder reply) {
        ByteString content = ByteString.EMPTY;
        for (int i = 0; i < read.getTargetsCount(); i++) {
            ReplicaTarget target = read.getTargets(i);
            Replica replica = replicas.get(target.getInode());
            checkContent(target);
            ByteString found = replica == null
                    ? null
                    : replica.content.substring(0, Math.min(read.getLengths(i), replica.content.size()));
            reply.addLengths(found == null ? -1 : found.size());
            content = found == null ? content : content.concat(found);
        }
        return new Answer(reply.build(), new Payload.Bytes(Unpooled.wrappedBuffer(content.toByteArray())));
    }

    private void checkContent(ReplicaTarget target) {
        check(target);
        if (!target.getCapability().equals(ALL_RIGHTS) && !mayUse(target)) {
            throw new PosixException(Errno.EACCES, "the capability does not allow that");
        }
    }

    private static boolean mayUse(ReplicaTarget target) {
        try {
            Capability capability = Capability.parseFrom(target.getCapability());
            return capability.getInode() == target.getInode()
                    && capability.getEpoch() == target.getEpoch()
                    && capability.getWrite();
        } catch (InvalidProtocolBufferException e) {
            return false;
        }
    }

    private void check(ReplicaTarget target) {
        if (target.getCapability().isEmpty()) {
            throw new PosixException(Errno.EACCES, "a request without capability");
        }
        if (target.getEpoch() != epoch) {
            throw new PosixException(Errno.ESTALE, "another epoch");
        }
        Replica replica = replicas.get(target.getInode());
        if (target.getExactVersion() != 0 && (replica == null || replica.version != target.getExactVersion())) {
            throw new PosixException(Errno.ESTALE, "another version");
        }
    }

    private void change(long inode, DataRequest request, ByteString content) {
        if (request.hasSync() || (request.hasSetTimes() && !replicas.containsKey(inode))) {
            return;
        }
        Replica replica = replicas.computeIfAbsent(inode, fresh -> new Replica());
        if (request.hasWrite()) {
            write(replica, request.getWrite(), content);
        } else if (request.hasTruncate()) {
            resize(replica, (int) request.getTruncate().getSize());
        } else if (request.hasSetTimes() && request.getSetTimes().hasMtime()) {
            replica.mtime = request.getSetTimes().getMtime();
            replica.ctime = replica.mtime;
            return;
        }
        replica.version = 0;
        replica.mtime =
                Timestamp.newBuilder().setSeconds(++observations + 1_000_000).build();
        replica.ctime = replica.mtime;
    }

    private static void write(Replica replica, Write write, ByteString content) {
        int offset = write.getAppend() ? replica.content.size() : (int) write.getOffset();
        int end = offset + content.size();
        if (replica.content.size() < end) {
            resize(replica, end);
        }
        replica.content = replica.content.substring(0, offset).concat(content).concat(replica.content.substring(end));
    }

    private static void resize(Replica replica, int size) {
        ByteString content = replica.content;
        replica.content = content.size() >= size
                ? content.substring(0, size)
                : content.concat(ByteString.copyFrom(new byte[size - content.size()]));
    }

    private Payload read(long inode, long offset, int length) {
        ByteString content = replicas.getOrDefault(inode, new Replica()).content;
        int from = (int) Math.min(offset, content.size());
        int to = Math.min(from + length, content.size());
        return new Payload.Bytes(
                Unpooled.wrappedBuffer(content.substring(from, to).toByteArray()));
    }

    private ReplicaStatus status(long inode) {
        Replica replica = replicas.get(inode);
        ReplicaStatus.Builder status = ReplicaStatus.newBuilder()
                .setInode(inode)
                .setObservation(++observations)
                .setLostBelow(lostBelow);
        return replica == null
                ? status.build()
                : status.setExists(true)
                        .setSize(replica.content.size())
                        .setBlocks((replica.content.size() + 511) / 512)
                        .setMtime(replica.mtime)
                        .setCtime(replica.ctime)
                        .setVersion(replica.version)
                        .build();
    }
}
