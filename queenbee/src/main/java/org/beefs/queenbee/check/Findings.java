package org.beefs.queenbee.check;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import org.beefs.common.wire.Finding;
import org.beefs.common.wire.Remedy;
import org.beefs.queenbee.namespace.Inode;
import org.jspecify.annotations.Nullable;

/** What one request of a check has found, repaired as it was found if that is wanted. Not thread-safe. */
public final class Findings {
    private final boolean repairing;
    private final List<Finding> all = new ArrayList<>();

    /** @param repairing whether to repair what can be repaired */
    public Findings(boolean repairing) {
        this.repairing = repairing;
    }

    public List<Finding> all() {
        return all;
    }

    /** Something that nobody but a person can decide about. */
    void add(Damage damage, @Nullable Inode inode, String desktop, String sentence) {
        add(damage, inode, desktop, sentence, Remedy.REMEDY_NONE);
    }

    /** Something that {@code repair} puts right without losing anything. */
    void add(Damage damage, @Nullable Inode inode, String desktop, String sentence, Runnable repair) {
        // Before it is repaired: its path may be another one then.
        int at = all.size();
        add(damage, inode, desktop, sentence, Remedy.REMEDY_POSSIBLE);
        if (repairing) {
            repair.run();
            all.set(at, all.get(at).toBuilder().setRemedy(Remedy.REMEDY_DONE).build());
        }
    }

    void add(Damage damage, @Nullable Inode inode, String desktop, String sentence, Remedy remedy) {
        all.add(Finding.newBuilder()
                .setKind(damage.word())
                .setInode(inode == null ? 0 : inode.number())
                .setPath(inode == null ? ByteString.EMPTY : ByteString.copyFromUtf8(inode.path()))
                .setDesktop(desktop)
                .setSentence(sentence)
                .setRemedy(remedy)
                .build());
    }
}
