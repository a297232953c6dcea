package org.beefs.queenbee.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.beefs.common.posix.AccessControlList;
import org.beefs.common.posix.FileMode;
import org.junit.jupiter.api.Test;

class RemovedInodesTest {
    private static final ByteString LIST = ByteString.copyFromUtf8("who may");
    private static final ByteString OTHER = ByteString.copyFromUtf8("user.other");

    private final RemovedInodes removed = new RemovedInodes();
    private final Inode inode = new Inode(7);
    private final Xattrs attributes = new Xattrs();

    RemovedInodesTest() {
        inode.mode = FileMode.DIRECTORY | 0700;
        inode.xattrs = attributes;
        attributes.put(OTHER, ByteString.copyFrom(new byte[1 << 16]));
        attributes.put(AccessControlList.DEFAULT, LIST);
    }

    @Test
    void shouldKeepOfExtendedAttributesOnlyTheAccessControlList() {
        attributes.put(AccessControlList.ACCESS, LIST);

        removed.remember(inode);

        assertThat(removed.find(7)).isSameAs(inode);
        assertThat(inode.xattrs())
                .isNotNull()
                .extracting(Xattrs::names, InstanceOfAssertFactories.iterable(ByteString.class))
                .containsExactly(AccessControlList.ACCESS);
        assertThat(inode.xattr(AccessControlList.ACCESS)).isEqualTo(LIST);
    }

    @Test
    void shouldKeepNoExtendedAttributesWhereThereIsNoAccessControlList() {
        removed.remember(inode);

        assertThat(removed.find(7)).isSameAs(inode);
        assertThat(inode.xattrs()).isNull();
    }
}
