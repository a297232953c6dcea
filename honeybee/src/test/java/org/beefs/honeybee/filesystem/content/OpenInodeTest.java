package org.beefs.honeybee.filesystem.content;

import static org.assertj.core.api.Assertions.assertThat;

import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Node;
import org.junit.jupiter.api.Test;

class OpenInodeTest {
    private static final int PLAIN = 0100755;
    private static final int SET_UID = 0104755;

    private final OpenInode inode = new OpenInode(1, PLAIN);

    @Test
    void shouldKeepPrivilegesThatAreNewerThanTheAnswerToAnOpen() {
        inode.observeMode(SET_UID);

        inode.observeOpened(node(PLAIN));

        assertThat(inode.givesPrivileges()).isTrue();
    }

    @Test
    void shouldLearnOfPrivilegesByAnOpen() {
        inode.observeOpened(node(SET_UID));

        assertThat(inode.givesPrivileges()).isTrue();
    }

    @Test
    void shouldForgetPrivilegesThatAreGone() {
        inode.observeOpened(node(SET_UID));

        inode.observe(node(PLAIN));

        assertThat(inode.givesPrivileges()).isFalse();
    }

    @Test
    void shouldCountSetGidWithoutExecution() {
        inode.observe(node(0102644));

        assertThat(inode.givesPrivileges()).isTrue();
    }

    private static Node node(int mode) {
        return Node.newBuilder()
                .setAttributes(Attributes.newBuilder().setMode(mode))
                .build();
    }
}
