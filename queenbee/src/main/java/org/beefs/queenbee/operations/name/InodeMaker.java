package org.beefs.queenbee.operations.name;

import com.google.protobuf.ByteString;
import java.util.Optional;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.FileMode;
import org.beefs.common.posix.PosixException;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.lease.ParkedException;
import org.beefs.queenbee.lease.Wait;
import org.beefs.queenbee.namespace.Caller;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Mutation;
import org.beefs.queenbee.namespace.Mutation.FirstReplica;
import org.beefs.queenbee.namespace.Permissions;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.operations.Request;
import org.beefs.queenbee.operations.Resolver;

/** Makes inodes and their names, and checks that a name may be made. Belongs to the namespace thread. */
final class InodeMaker {
    private final QueenState state;
    private final Resolver resolver;

    InodeMaker(QueenState state) {
        this.state = state;
        resolver = new Resolver(state.namespace());
    }

    /**
     * A regular or special file that somebody wants.
     *
     * @param mode type and permission bits
     * @param umask permission bits not to be given
     * @param dirty whether somebody opens it, which must be a regular one, to write
     */
    record NewFile(int mode, int umask, int device, boolean dirty) {}

    /** The directory in which the caller may make the name, which is free. */
    Inode checkedParent(long number, ByteString name, Request request) {
        Inode parent = resolver.directory(number);
        Permissions.check(parent, request.caller(), Permissions.EXECUTE);
        resolver.checkFree(parent, name);
        checkParent(parent, request);
        return parent;
    }

    /** Fails unless the caller may make names in the directory, and there is room for what they name. */
    void checkParent(Inode parent, Request request) {
        state.mutator().requireWritable();
        state.requireMemory(request);
        Resolver.checkAlive(parent);
        Permissions.checkChange(parent, request.caller());
    }

    Inode directory(Inode parent, ByteString name, int mode, int umask, Request request) {
        int permissions = Permissions.modeOfNewDirectory(parent, Permissions.modeOfNew(parent, mode, umask));
        return make(parent, name, FileMode.DIRECTORY | permissions, 0, ByteString.EMPTY, FirstReplica.NONE, request);
    }

    Inode symbolicLink(Inode parent, ByteString name, ByteString target, Request request) {
        return make(parent, name, FileMode.SYMBOLIC_LINK | 0777, 0, target, FirstReplica.NONE, request);
    }

    /** Makes a regular or special file; a regular one that somebody opens is born dirty. */
    Inode file(Inode parent, ByteString name, NewFile file, Request request) {
        FirstReplica replica = FileMode.isRegular(file.mode()) ? place(request, file.dirty()) : FirstReplica.NONE;
        int mode = (file.mode() & FileMode.TYPE_MASK) | permissions(parent, file, request);
        return make(parent, name, mode, file.device(), ByteString.EMPTY, replica, request);
    }

    /** Makes a regular file without a name, which somebody opens to write. */
    Inode unnamed(Inode parent, NewFile file, boolean linkable, Request request) {
        state.requireMemory(request);
        int mode = FileMode.REGULAR | permissions(parent, file, request);
        long number = number(request);
        FirstReplica replica = place(request, file.dirty());
        return make(
                new Mutation.MakeUnnamed(
                        parent.number(), number, birth(parent, mode, file.device(), request), replica, linkable),
                number,
                request);
    }

    private static int permissions(Inode parent, NewFile file, Request request) {
        int mode = Permissions.modeOfNew(parent, file.mode(), file.umask());
        return Permissions.modeOfNewFile(parent, request.caller(), mode);
    }

    private Inode make(
            Inode parent,
            ByteString name,
            int mode,
            int device,
            ByteString target,
            FirstReplica replica,
            Request request) {
        long number = number(request);
        return make(
                new Mutation.MakeInode(
                        parent.number(),
                        name,
                        parent.directory().nextCookie(),
                        number,
                        birth(parent, mode, device, request),
                        target,
                        replica),
                number,
                request);
    }

    private Inode make(Mutation making, long number, Request request) {
        state.mutator().change(request.clearance(), making);
        return resolver.existing(number);
    }

    private long number(Request request) {
        long chosen = request.choice().inode();
        long highest = state.namespace().highestOwn();
        if (chosen == 0) {
            return state.numbering().after(highest);
        }
        if (!state.numbering().mayHaveIssued(chosen, highest)) {
            throw new PosixException(
                    Errno.EINVAL, "no queen-bee of this hive can have issued the inode number %x".formatted(chosen));
        }
        return chosen;
    }

    private static Mutation.Birth birth(Inode parent, int mode, int device, Request request) {
        Caller caller = request.caller();
        return new Mutation.Birth(mode, caller.uid(), Permissions.groupOfNew(parent, caller), device, request.now());
    }

    private FirstReplica place(Request request, boolean dirty) {
        Honeycomb chosen = state.honeycombs().find(request.choice().honeycomb());
        if (chosen == null) {
            return placeAnew(request, dirty);
        }
        long epoch = request.choice().epoch();
        if (!state.numbering().mayHaveBegun(epoch)) {
            throw new PosixException(
                    Errno.EINVAL, "no queen-bee of this hive can have made a file with epoch %x".formatted(epoch));
        }
        return new FirstReplica(chosen.number(), epoch, dirty);
    }

    private FirstReplica placeAnew(Request request, boolean dirty) {
        if (request.body().hasAvailable()) {
            state.honeycombs()
                    .servedBy(request.session())
                    .ifPresent(own -> own.setAvailable(request.body().getAvailable()));
        }
        Optional<Honeycomb> honeycomb = state.primaryChooser().choose(request.session());
        if (honeycomb.isPresent()) {
            return new FirstReplica(honeycomb.get().number(), state.numbering().base(), dirty);
        }
        if (state.honeycombs().isSomeExpected()) {
            throw new ParkedException(Wait.Occasion.HONEYCOMB, "no honeycomb has come back yet");
        }
        throw new PosixException(Errno.EIO, "no honeycomb is connected that could take the file");
    }
}
