package org.beefs.queenbee.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.beefs.common.posix.FileMode;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.ReplicaStatus;
import org.beefs.common.wire.SetAttributes;
import org.beefs.common.wire.Timestamp;
import org.beefs.queenbee.namespace.Namespace;

/** Random requests over few names, so that they meet; many of them fail. Seeded. Not thread-safe. */
public final class RandomWalk {
    private static final int NAMES = 12;

    private record Handle(long inode, long handle) {}

    private final TestDesktop desktop;
    private final Random random;
    private final List<Long> inodes = new ArrayList<>(List.of(Namespace.ROOT));
    private final List<Handle> handles = new ArrayList<>();
    private long observation = 1;

    public RandomWalk(TestDesktop desktop, Random random) {
        this.desktop = desktop;
        this.random = random;
    }

    public void steps(int count) {
        for (int i = 0; i < count; i++) {
            step();
        }
    }

    private void step() {
        long handle = desktop.newHandle();
        QueenRequest.Builder request = request(handle);
        QueenReply reply = desktop.send(request);
        if (!reply.hasFailure() && reply.hasNode()) {
            long inode = reply.getNode().getAttributes().getInode();
            inodes.add(inode);
            if (request.hasCreate() || request.hasOpen()) {
                handles.add(new Handle(inode, handle));
            }
        }
    }

    private QueenRequest.Builder request(long handle) {
        return switch (random.nextInt(15)) {
            case 0, 1 -> Ask.mkdir(inode(), name(), 0755);
            case 2, 3 -> Ask.create(inode(), name(), 0644, handle);
            case 4 -> Ask.mknod(inode(), name(), FileMode.FIFO | 0600);
            case 5 -> Ask.symlink(inode(), name(), "target" + random.nextInt(100));
            case 6 -> Ask.link(inode(), inode(), name());
            case 7 -> Ask.unlink(inode(), name());
            case 8 -> Ask.rmdir(inode(), name());
            case 9 -> Ask.rename(inode(), name(), inode(), name());
            case 10 -> Ask.exchange(inode(), name(), inode(), name());
            case 11 -> attributes(handle);
            case 12 ->
                random.nextBoolean()
                        ? Ask.setXattr(inode(), "user." + name(), "v" + random.nextInt())
                        : Ask.removeXattr(inode(), "user." + name());
            case 13 -> Ask.open(inode(), handle, true, random.nextBoolean());
            default -> release();
        };
    }

    private QueenRequest.Builder attributes(long handle) {
        SetAttributes.Builder change = SetAttributes.newBuilder().setInode(inode());
        switch (random.nextInt(3)) {
            case 0 -> change.setMode(0600 | random.nextInt(0100));
            case 1 -> change.setUid(random.nextInt(5)).setGid(random.nextInt(5));
            default -> {
                change.setMtime(time(random.nextInt())).setHandle(handle);
                handles.add(new Handle(change.getInode(), handle));
            }
        }
        return Ask.change(change);
    }

    private QueenRequest.Builder release() {
        if (handles.isEmpty()) {
            return Ask.attributes(inode());
        }
        Handle handle = handles.remove(random.nextInt(handles.size()));
        ReplicaStatus status = ReplicaStatus.newBuilder()
                .setInode(handle.inode)
                .setExists(true)
                .setSize(random.nextInt(1000))
                .setMtime(time(random.nextInt()))
                .setCtime(time(random.nextInt()))
                .setObservation(observation++)
                .build();
        desktop.replica(handle.inode, status.toBuilder());
        return random.nextInt(10) == 0
                ? Ask.release(handle.inode, handle.handle)
                : Ask.release(handle.inode, handle.handle, status);
    }

    private long inode() {
        int recent = Math.min(inodes.size(), 20);
        return random.nextInt(4) == 0 ? Namespace.ROOT : inodes.get(inodes.size() - 1 - random.nextInt(recent));
    }

    private String name() {
        return "n" + random.nextInt(NAMES);
    }

    private static Timestamp time(long seconds) {
        return Timestamp.newBuilder().setSeconds(seconds).setNanos(7).build();
    }
}
