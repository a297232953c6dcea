package org.beefs.common.posix;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import org.beefs.common.replica.ReplicationXattr;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class XattrNamesTest {
    private static final int SHORT_OF_LONGEST = XattrNames.LONGEST - "user.".length();

    @ParameterizedTest
    @ValueSource(strings = {"user.a", "trusted.a", "security.selinux", "security.capability"})
    void shouldKnowWhatAnInodeMayHave(String name) {
        assertThat(mayBe(name)).isTrue();
        assertThat(mayBe("user." + "a".repeat(SHORT_OF_LONGEST))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "user",
                "user.",
                "trusted.",
                "security.",
                "USER.a",
                "system.posix_acl_access",
                "system.other",
                ReplicationXattr.VERSION
            })
    void shouldKnowWhatNoInodeHas(String name) {
        assertThat(mayBe(name)).isFalse();
        assertThat(mayBe("user." + "a".repeat(SHORT_OF_LONGEST + 1))).isFalse();
    }

    private static boolean mayBe(String name) {
        return XattrNames.mayBe(ByteString.copyFromUtf8(name));
    }
}
