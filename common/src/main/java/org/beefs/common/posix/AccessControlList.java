package org.beefs.common.posix;

import com.google.protobuf.ByteString;
import java.util.function.IntPredicate;

/**
 * A POSIX access control list (acl(5)), in the form in which Linux gives it to programs as an extended attribute:
 * version 2 in 4 bytes, then 8 bytes for each entry: tag and rights in 2 each, id in 4, all little-endian. Immutable;
 * looks into the bytes.
 *
 * <p>What the owner, the mask and others may do is in the inode's mode as well. There it counts: chmod changes the mode
 * only, and a list is shown with what the mode says ({@link #withMode}).
 */
public final class AccessControlList {
    /** The extended attribute of the list that decides. */
    public static final ByteString ACCESS = ByteString.copyFromUtf8("system.posix_acl_access");

    /** The extended attribute of the list that a directory gives to what is made in it. */
    public static final ByteString DEFAULT = ByteString.copyFromUtf8("system.posix_acl_default");

    /** Bytes of the largest list that the kernel takes over from a FUSE file system: a page. */
    public static final int MAX_BYTES = 4096;

    private static final int VERSION = 2;
    private static final int HEADER = 4;
    private static final int ENTRY = 8;

    private static final int USER_OBJ = 0x01;
    private static final int USER = 0x02;
    private static final int GROUP_OBJ = 0x04;
    private static final int GROUP = 0x08;
    private static final int MASK = 0x10;
    private static final int OTHER = 0x20;

    private static final int RIGHTS = 7;
    private static final int UNDEFINED_ID = -1;

    private final ByteString bytes;

    private AccessControlList(ByteString bytes) {
        this.bytes = bytes;
    }

    public static boolean isName(ByteString attribute) {
        return attribute.equals(ACCESS) || attribute.equals(DEFAULT);
    }

    /** A list that was checked when it was set. */
    public static AccessControlList of(ByteString checked) {
        return new AccessControlList(checked);
    }

    /** Whether the value of an extended attribute means that there is to be no list. */
    public static boolean isEmpty(ByteString value) {
        return value.isEmpty() || (value.size() == HEADER && int32(value, 0) == VERSION);
    }

    /**
     * Fails with EINVAL for what is no list, EOPNOTSUPP for another version, E2BIG for one that the kernel would not
     * take.
     */
    public static AccessControlList parse(ByteString value) {
        if (value.size() > MAX_BYTES) {
            throw new PosixException(Errno.E2BIG, "an access control list has at most 511 entries");
        }
        if (value.size() < HEADER || (value.size() - HEADER) % ENTRY != 0) {
            throw invalid();
        }
        if (int32(value, 0) != VERSION) {
            throw new PosixException(Errno.EOPNOTSUPP, "access control lists have version 2");
        }
        AccessControlList list = new AccessControlList(value);
        list.check();
        return list;
    }

    public ByteString bytes() {
        return bytes;
    }

    /** Whether it says more than a mode can. */
    public boolean isExtended() {
        for (int i = 0; i < count(); i++) {
            if (tag(i) != USER_OBJ && tag(i) != GROUP_OBJ && tag(i) != OTHER) {
                return true;
            }
        }
        return false;
    }

    /** The nine permission bits that the list amounts to: the group's are the mask if there is one. */
    public int mode() {
        int owner = 0;
        int group = 0;
        int others = 0;
        for (int i = 0; i < count(); i++) {
            switch (tag(i)) {
                case USER_OBJ -> owner = rights(i);
                case GROUP_OBJ, MASK -> group = rights(i); // the mask stands behind the group
                case OTHER -> others = rights(i);
                default -> {}
            }
        }
        return (owner << 6) | (group << 3) | others;
    }

    /** What the owning group may, with the mask taken off: three permission bits. */
    public int owningGroup() {
        int group = 0;
        int mask = RIGHTS;
        for (int i = 0; i < count(); i++) {
            switch (tag(i)) {
                case GROUP_OBJ -> group = rights(i);
                case MASK -> mask = rights(i);
                default -> {}
            }
        }
        return group & mask;
    }

    /**
     * The list with the rights of owner, mask and others that a mode tells. Only for an extended one, which has a mask.
     */
    public AccessControlList withMode(int mode) {
        if (mode() == (mode & 0777)) {
            return this;
        }
        byte[] changed = bytes.toByteArray();
        for (int i = 0; i < count(); i++) {
            switch (tag(i)) {
                case USER_OBJ -> changed[at(i) + 2] = (byte) ((mode >> 6) & RIGHTS);
                case MASK -> changed[at(i) + 2] = (byte) ((mode >> 3) & RIGHTS);
                case OTHER -> changed[at(i) + 2] = (byte) (mode & RIGHTS);
                default -> {}
            }
        }
        return new AccessControlList(ByteString.copyFrom(changed));
    }

    /**
     * Whether somebody who does not own the inode may do what is wanted: the access check algorithm of acl(5) from its
     * second step on.
     *
     * @param isMember whether he is in a group
     * @param owningGroup of the inode
     * @param mode of the inode, which tells the mask and what others may do
     */
    boolean allows(int uid, IntPredicate isMember, int owningGroup, int mode, int wanted) {
        int masked = wanted & ~(mode >> 3);
        boolean inSomeGroup = false;
        for (int i = 0; i < count(); i++) {
            switch (tag(i)) {
                case USER -> {
                    if (id(i) == uid) {
                        return masked == 0 && grants(i, wanted);
                    }
                }
                case GROUP_OBJ, GROUP -> {
                    if (isMember.test(tag(i) == GROUP_OBJ ? owningGroup : id(i))) {
                        if (grants(i, wanted)) {
                            return masked == 0;
                        }
                        inSomeGroup = true;
                    }
                }
                default -> {}
            }
        }
        return !inSomeGroup && (wanted & ~mode) == 0;
    }

    /**
     * One entry of each kind that must be there, in the order of their tags, and a mask if users or groups are named.
     */
    private void check() {
        int seen = 0;
        int last = 0;
        for (int i = 0; i < count(); i++) {
            int tag = tag(i);
            boolean named = tag == USER || tag == GROUP;
            boolean known = Integer.bitCount(tag) == 1 && tag <= OTHER;
            if (!known || tag < last || (tag == last && !named) || (rights(i) & ~RIGHTS) != 0) {
                throw invalid();
            }
            if (named && id(i) == UNDEFINED_ID) {
                throw invalid();
            }
            seen |= tag;
            last = tag;
        }
        boolean complete = (seen & USER_OBJ) != 0 && (seen & GROUP_OBJ) != 0 && (seen & OTHER) != 0;
        boolean masked = (seen & (USER | GROUP)) == 0 || (seen & MASK) != 0;
        if (!complete || !masked) {
            throw invalid();
        }
    }

    private boolean grants(int entry, int wanted) {
        return (wanted & ~rights(entry)) == 0;
    }

    private int count() {
        return (bytes.size() - HEADER) / ENTRY;
    }

    private int tag(int entry) {
        return int16(at(entry));
    }

    private int rights(int entry) {
        return int16(at(entry) + 2);
    }

    private int id(int entry) {
        return int32(bytes, at(entry) + 4);
    }

    private static int at(int entry) {
        return HEADER + entry * ENTRY;
    }

    private int int16(int at) {
        return (bytes.byteAt(at) & 0xff) | ((bytes.byteAt(at + 1) & 0xff) << 8);
    }

    private static int int32(ByteString bytes, int at) {
        return (bytes.byteAt(at) & 0xff)
                | ((bytes.byteAt(at + 1) & 0xff) << 8)
                | ((bytes.byteAt(at + 2) & 0xff) << 16)
                | ((bytes.byteAt(at + 3) & 0xff) << 24);
    }

    private static PosixException invalid() {
        return new PosixException(Errno.EINVAL, "that is no access control list");
    }
}
