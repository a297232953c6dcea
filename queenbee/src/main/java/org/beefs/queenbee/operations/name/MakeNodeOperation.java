package org.beefs.queenbee.operations.name;

import org.beefs.common.posix.Errno;
import org.beefs.common.posix.FileMode;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.MakeNode;
import org.beefs.common.wire.QueenReply;
import org.beefs.queenbee.namespace.Caller;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.operations.Nodes;
import org.beefs.queenbee.operations.Operation;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.operations.Request;

/** As mknod(2). */
public final class MakeNodeOperation implements Operation {
    private final InodeMaker maker;
    private final Nodes nodes;

    public MakeNodeOperation(QueenState state) {
        maker = new InodeMaker(state);
        nodes = new Nodes(state);
    }

    @Override
    public void run(Request request, QueenReply.Builder reply) {
        MakeNode make = request.body().getMakeNode();
        Inode parent = maker.checkedParent(make.getParent(), make.getName(), request);
        int mode = (make.getMode() & FileMode.TYPE_MASK) == 0 ? make.getMode() | FileMode.REGULAR : make.getMode();
        checkType(mode, make.getDevice(), request.caller());
        boolean isDevice = isDevice(mode);
        InodeMaker.NewFile file = new InodeMaker.NewFile(mode, make.getUmask(), isDevice ? make.getDevice() : 0, false);
        Inode inode = maker.file(parent, make.getName(), file, request);
        reply.setNode(nodes.of(inode, request.session()));
    }

    private static void checkType(int mode, int device, Caller caller) {
        switch (mode & FileMode.TYPE_MASK) {
            case FileMode.REGULAR, FileMode.FIFO, FileMode.SOCKET -> {}
            case FileMode.CHARACTER_DEVICE, FileMode.BLOCK_DEVICE -> {
                if (!caller.isRoot() && !isWhiteout(mode, device)) {
                    throw new PosixException(Errno.EPERM, "only user 0 makes devices");
                }
            }
            case FileMode.DIRECTORY -> throw new PosixException(Errno.EPERM, "mknod makes no directories");
            default -> throw new PosixException(Errno.EINVAL, "mknod makes no such type of file");
        }
    }

    /** No real device: a stacked file system says with it that there is nothing of that name. */
    private static boolean isWhiteout(int mode, int device) {
        return (mode & FileMode.TYPE_MASK) == FileMode.CHARACTER_DEVICE && device == 0;
    }

    private static boolean isDevice(int mode) {
        int type = mode & FileMode.TYPE_MASK;
        return type == FileMode.CHARACTER_DEVICE || type == FileMode.BLOCK_DEVICE;
    }
}
