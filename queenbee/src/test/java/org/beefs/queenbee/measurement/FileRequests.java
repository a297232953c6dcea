package org.beefs.queenbee.measurement;

import java.util.ArrayList;
import java.util.List;
import org.beefs.common.posix.FileMode;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;

/**
 * What a desktop asks while a program writes one new file after the other: whether the name is free, the file, and at
 * its end how large it has become; and a directory for every few files. Comes in batches of which all can be asked at
 * once. Not thread-safe.
 */
final class FileRequests {
    private static final int FILES_IN_DIRECTORY = 24;

    private record Made(long inode, long handle) {}

    private long parent = Namespace.ROOT;
    private long files;
    private long sequence;
    private List<Made> open = new ArrayList<>();

    /** Numbered but for the session; what was asked before is answered. */
    List<QueenRequest.Builder> next(int newFiles) {
        List<QueenRequest.Builder> requests = new ArrayList<>();
        long acknowledged = sequence + 1;
        open.forEach(made ->
                requests.add(numbered(Ask.release(made.inode, made.handle, Ask.written(made.inode, made.handle)))));
        open = new ArrayList<>();
        for (int i = 0; i < newFiles; i++) {
            if (files++ % FILES_IN_DIRECTORY == 0) {
                requests.add(numbered(Ask.mkdir(Namespace.ROOT, "Project " + files, 0755)));
            }
            requests.add(Ask.lookup(parent, "Report " + files));
            requests.add(numbered(Ask.create(parent, "Report " + files, 0644, files)));
        }
        requests.forEach(request -> request.setAcknowledged(acknowledged));
        return requests;
    }

    /** One of them is answered. */
    void answered(QueenRequest.Builder request, QueenReply reply) {
        long inode = reply.getNode().getAttributes().getInode();
        if (request.hasCreate()) {
            open.add(new Made(inode, request.getCreate().getHandle()));
        } else if (FileMode.isDirectory(reply.getNode().getAttributes().getMode())) {
            parent = inode;
        }
    }

    private QueenRequest.Builder numbered(QueenRequest.Builder request) {
        return request.setSequence(++sequence);
    }
}
