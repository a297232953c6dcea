package org.beefs.queenbee.operations.session;

import java.util.stream.LongStream;
import org.beefs.common.wire.EndedFile;
import org.beefs.common.wire.Register;
import org.beefs.queenbee.journal.Numbering;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.operations.QueenState;

/**
 * Files that were opened to be written, and closed, of which a loss of power has taken that they were ever open. Their
 * desktops know; releases say nothing of opens that are not known. Belongs to the namespace thread.
 */
final class LostReleases {
    private final QueenState state;

    LostReleases(QueenState state) {
        this.state = state;
    }

    /** Takes none for unchanged that a registration names: their honeycombs are asked what they are like. */
    void suspect(Register register) {
        in(register).forEach(number -> {
            Inode inode = state.namespace().find(number);
            if (inode != null && inode.isRegular() && !inode.dirty()) {
                state.leftFiles().suspect(inode);
            }
        });
    }

    /**
     * The inodes of those whose end is lost, or may be. Nobody knows that of an end that was not answered: it may be
     * lost unless the desktop has heard of her state as it is since this start.
     */
    LongStream in(Register register) {
        LongStream lost = answered(register);
        return hasHeardOfThisStart(register)
                ? lost
                : LongStream.concat(lost, register.getEndingList().stream().mapToLong(Long::longValue));
    }

    /** The inodes of those whose end was answered, and is lost. */
    LongStream answered(Register register) {
        return register.getEndedList().stream()
                .filter(file -> !isMade(file.getChange()))
                .mapToLong(EndedFile::getInode);
    }

    private boolean hasHeardOfThisStart(Register register) {
        return Numbering.incarnationOf(register.getDurable())
                >= state.numbering().incarnation();
    }

    private boolean isMade(long change) {
        return state.numbering().hasMade(change, state.journal().applied());
    }
}
