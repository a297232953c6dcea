package org.beefs.honeybee.jnr;

import org.beefs.common.wire.Credentials;
import org.beefs.honeybee.mount.Callers;

/** Callers on systems without /proc: nobody has supplementary groups, and any signal counts as the caller's end. */
final class UnknownCallers implements Callers {
    @Override
    public Credentials credentials(int uid, int gid, int pid) {
        return Credentials.newBuilder().setUid(uid).setGid(gid).build();
    }

    @Override
    public State state(int pid) {
        return State.GONE;
    }

    @Override
    public boolean isExiting(int pid) {
        return false;
    }
}
