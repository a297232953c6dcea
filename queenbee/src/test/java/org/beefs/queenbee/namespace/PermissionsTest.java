package org.beefs.queenbee.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.beefs.common.posix.FileMode;
import org.beefs.common.wire.Credentials;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The file belongs to user 1000 and group 100. */
class PermissionsTest {
    @ParameterizedTest(name = "{0} {1} for {2}:{3} with groups {4} allows {5}")
    @CsvSource({
        // type, mode (octal), uid, gid, groups, rights allowed
        "file, 700, 1000, 5, '',     rwx",
        "file, 077, 1000, 100, '',   ''",
        "file, 070, 2000, 100, '',   rwx",
        "file, 707, 2000, 100, '',   ''",
        "file, 070, 2000, 5, 7 100,  rwx",
        "file, 707, 2000, 5, 7 100,  ''",
        "file, 007, 2000, 5, 7,      rwx",
        "file, 770, 2000, 5, 7,      ''",
        "file, 640, 1000, 5, '',     rw",
        "file, 640, 2000, 100, '',   r",
        "file, 640, 2000, 5, '',     ''",
        "file, 000, 0, 0, '',        rw",
        "file, 001, 0, 0, '',        rwx",
        "directory, 000, 0, 0, '',   rwx",
        "directory, 711, 2000, 5, '', x",
    })
    void shouldAllowWhatLinuxAllows(String type, String mode, int uid, int gid, String groups, String allowed) {
        Inode inode = new Inode(2);
        inode.mode = Integer.parseInt(mode, 8) | (type.equals("file") ? FileMode.REGULAR : FileMode.DIRECTORY);
        inode.uid = 1000;
        inode.gid = 100;
        Credentials.Builder credentials = Credentials.newBuilder().setUid(uid).setGid(gid);
        Arrays.stream(groups.split(" "))
                .filter(group -> !group.isEmpty())
                .forEach(group -> credentials.addGroups(Integer.parseInt(group)));
        Caller caller = new Caller(credentials.build());

        for (int mask = 0; mask < 8; mask++) {
            boolean expected = (mask & ~mask(allowed)) == 0;
            assertThat(Permissions.allows(inode, caller, mask))
                    .as("mask %d", mask)
                    .isEqualTo(expected);
        }
    }

    private static int mask(String rights) {
        int mask = rights.contains("r") ? Permissions.READ : 0;
        mask |= rights.contains("w") ? Permissions.WRITE : 0;
        return mask | (rights.contains("x") ? Permissions.EXECUTE : 0);
    }
}
