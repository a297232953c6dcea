package org.beefs.common.posix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.beefs.common.wire.Credentials;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The access check algorithm of acl(5), and what is a valid list. The file belongs to user 10 and group 20. */
class AccessControlListTest {
    private static final int USER_OBJ = 1;
    private static final int USER = 2;
    private static final int GROUP_OBJ = 4;
    private static final int GROUP = 8;
    private static final int MASK = 16;
    private static final int OTHER = 32;

    /** u::rw- u:11:rwx u:12:--- g::r-- g:21:rw- g:22:--x m::rw- o::--x */
    private static final ByteString LIST = list(
            USER_OBJ, 6, -1, USER, 7, 11, USER, 0, 12, GROUP_OBJ, 4, -1, GROUP, 6, 21, GROUP, 1, 22, MASK, 6, -1, OTHER,
            1, -1);

    @Test
    void shouldTellWhatTheMaskLeavesToTheOwningGroup() {
        ByteString wide = list(USER_OBJ, 6, -1, USER, 7, 11, GROUP_OBJ, 7, -1, MASK, 5, -1, OTHER, 0, -1);
        ByteString minimal = list(USER_OBJ, 6, -1, GROUP_OBJ, 6, -1, OTHER, 0, -1);

        assertThat(AccessControlList.of(LIST).owningGroup()).isEqualTo(4);
        assertThat(AccessControlList.of(wide).owningGroup()).isEqualTo(5);
        assertThat(AccessControlList.of(minimal).owningGroup()).isEqualTo(6);
    }

    @ParameterizedTest(name = "user {0} of groups {1} and {2} may {3}: {4}")
    @CsvSource({
        "10, 99, 99, 6, true",
        "10, 20, 21, 1, false", // the owner's entry decides alone
        "11, 99, 99, 6, true",
        "11, 99, 99, 1, false", // masked
        "12, 20, 21, 4, false", // a named user's entry decides, whatever his groups may
        "13, 20, 99, 4, true",
        "13, 20, 99, 2, false",
        "13, 99, 21, 6, true",
        "13, 20, 21, 6, true", // any group whose entry has all that is wanted
        "13, 20, 22, 5, false", // rights of several groups are not put together
        "13, 22, 99, 1, false", // masked, and no falling back to others
        "13, 99, 99, 1, true",
        "13, 99, 99, 4, false",
        "0, 99, 99, 6, true"
    })
    void shouldDecideAsTheManualSays(int user, int group, int second, int wanted, boolean allowed) {
        Credentials caller = Credentials.newBuilder()
                .setUid(user)
                .setGid(group)
                .addGroups(second)
                .build();
        int mode = FileMode.REGULAR | AccessControlList.of(LIST).mode();

        assertThat(AccessRights.allow(mode, 10, 20, LIST, caller, wanted)).isEqualTo(allowed);
    }

    @Test
    void shouldTakeOwnerMaskAndOthersFromTheMode() {
        AccessControlList changed = AccessControlList.of(LIST).withMode(0517);

        assertThat(AccessControlList.of(LIST).mode()).isEqualTo(0661);
        assertThat(changed.mode()).isEqualTo(0517);
        assertThat(changed.bytes())
                .isEqualTo(list(
                        USER_OBJ, 5, -1, USER, 7, 11, USER, 0, 12, GROUP_OBJ, 4, -1, GROUP, 6, 21, GROUP, 1, 22, MASK,
                        1, -1, OTHER, 7, -1));
        assertThat(AccessControlList.of(LIST).withMode(0661).bytes()).isSameAs(LIST);
    }

    @Test
    void shouldIgnoreTheListAsLinuxDoesWhileItsMaskAllowsNothing() {
        Credentials named = Credentials.newBuilder().setUid(12).setGid(99).build();
        assertThat(AccessRights.allow(FileMode.REGULAR | 0604, 10, 20, LIST, named, 4))
                .isTrue();
        assertThat(AccessRights.allow(FileMode.REGULAR | 0644, 10, 20, LIST, named, 4))
                .isFalse();
    }

    @Test
    void shouldTellWhatAModeCanSay() {
        assertThat(AccessControlList.parse(list(USER_OBJ, 6, -1, GROUP_OBJ, 4, -1, OTHER, 0, -1))
                        .isExtended())
                .isFalse();
        assertThat(AccessControlList.parse(LIST).isExtended()).isTrue();
        assertThat(AccessControlList.isEmpty(list())).isTrue();
    }

    @Test
    void shouldRefuseWhatIsNoList() {
        assertThat(refused(list(USER_OBJ, 6, -1, GROUP_OBJ, 4, -1))).isEqualTo(Errno.EINVAL);
        assertThat(refused(list(USER_OBJ, 6, -1, USER, 6, 11, GROUP_OBJ, 4, -1, OTHER, 0, -1)))
                .as("users are named and there is no mask")
                .isEqualTo(Errno.EINVAL);
        assertThat(refused(list(USER_OBJ, 6, -1, USER_OBJ, 6, -1, GROUP_OBJ, 4, -1, OTHER, 0, -1)))
                .isEqualTo(Errno.EINVAL);
        assertThat(refused(list(GROUP_OBJ, 4, -1, USER_OBJ, 6, -1, OTHER, 0, -1)))
                .isEqualTo(Errno.EINVAL);
        assertThat(refused(list(USER_OBJ, 8, -1, GROUP_OBJ, 4, -1, OTHER, 0, -1)))
                .isEqualTo(Errno.EINVAL);
        assertThat(refused(list(USER_OBJ, 6, -1, GROUP_OBJ, 4, -1, 64, 0, -1))).isEqualTo(Errno.EINVAL);
        assertThat(refused(LIST.substring(0, 10))).isEqualTo(Errno.EINVAL);
        assertThat(refused(ByteString.copyFrom(new byte[] {1, 0, 0, 0}))).isEqualTo(Errno.EOPNOTSUPP);
        assertThat(refused(ByteString.copyFrom(new byte[4100]))).isEqualTo(Errno.E2BIG);
    }

    private static Errno refused(ByteString value) {
        return catchThrowableOfType(PosixException.class, () -> AccessControlList.parse(value))
                .errno();
    }

    /** Tag, rights and id of each entry. */
    private static ByteString list(int... entries) {
        ByteBuffer bytes = ByteBuffer.allocate(4 + entries.length / 3 * 8).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(2);
        for (int i = 0; i < entries.length; i += 3) {
            int[] entry = Arrays.copyOfRange(entries, i, i + 3);
            bytes.putShort((short) entry[0]).putShort((short) entry[1]).putInt(entry[2]);
        }
        return ByteString.copyFrom(bytes.flip());
    }
}
