package org.beefs.honeybee.cache;

import org.beefs.common.posix.AccessControlList;
import org.beefs.common.posix.FileMode;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.SetAttributes;
import org.beefs.common.wire.SetXattr;
import org.jspecify.annotations.Nullable;

/**
 * Access control lists that say no more than a mode, and are kept as one: {@code cp -a} sets such a list of each file.
 * Stateless.
 */
final class PlainAccessLists {
    private static final int SPECIAL = FileMode.SET_UID | FileMode.SET_GID | FileMode.STICKY;

    private PlainAccessLists() {}

    /**
     * The change of the mode that setting the list is; null for any other extended attribute.
     *
     * @param node without an access control list
     */
    static @Nullable SetAttributes asMode(SetXattr set, Node node) {
        int mode = node.getAttributes().getMode();
        AccessControlList list = set.getName().equals(AccessControlList.ACCESS) ? parse(set) : null;
        if (list == null || list.isExtended() || FileMode.isSymbolicLink(mode)) {
            return null;
        }
        return SetAttributes.newBuilder()
                .setInode(set.getInode())
                .setMode((mode & SPECIAL) | list.mode())
                .build();
    }

    /** The list that is to be set; null for what is none, and for an empty one, which removes what there is. */
    private static @Nullable AccessControlList parse(SetXattr set) {
        try {
            return AccessControlList.isEmpty(set.getValue()) ? null : AccessControlList.parse(set.getValue());
        } catch (PosixException noList) {
            return null;
        }
    }
}
