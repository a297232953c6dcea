package org.beefs.queenbee.namespace;

import org.beefs.common.posix.AccessRights;
import org.beefs.common.wire.Credentials;

/** The user on whose behalf a request is made. */
public final class Caller {
    /** A daemon's own requests, and whoever may do everything. */
    public static final Caller ROOT = new Caller(Credentials.getDefaultInstance());

    private final Credentials credentials;
    private final boolean allowed;

    public Caller(Credentials credentials) {
        this(credentials, false);
    }

    private Caller(Credentials credentials, boolean allowed) {
        this.credentials = credentials;
        this.allowed = allowed;
    }

    /** A caller whose desktop checked his permission when it decided the change: it is not checked again. */
    public static Caller allowed(Credentials credentials) {
        return new Caller(credentials, true);
    }

    boolean isAllowed() {
        return allowed;
    }

    Credentials credentials() {
        return credentials;
    }

    public int uid() {
        return credentials.getUid();
    }

    public int gid() {
        return credentials.getGid();
    }

    public boolean isRoot() {
        return uid() == 0;
    }

    public boolean owns(Inode inode) {
        return allowed || uid() == inode.uid();
    }

    /** Whether the group is the caller's own or one of its supplementary ones. */
    public boolean isIn(int group) {
        return AccessRights.isIn(credentials, group);
    }
}
