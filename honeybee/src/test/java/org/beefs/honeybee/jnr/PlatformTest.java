package org.beefs.honeybee.jnr;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import org.beefs.common.posix.Errno;
import org.beefs.honeybee.mount.MountOptions;
import org.junit.jupiter.api.Test;

class PlatformTest {
    @Test
    void shouldKnowSystemsByTheirNames() {
        assertThat(Platform.of("Linux")).isEqualTo(Platform.LINUX);
        assertThat(Platform.of("Mac OS X")).isEqualTo(Platform.MAC);
        assertThat(Platform.of("Windows 11")).isEqualTo(Platform.WINDOWS);
    }

    @Test
    void shouldHaveLinuxNumbersOnLinux() {
        for (Errno errno : Errno.values()) {
            assertThat(Platform.LINUX.errno(errno)).isEqualTo(errno.number());
        }
        assertThat(Platform.LINUX.toLinuxFlags(0102001)).isEqualTo(0102001);
    }

    @Test
    void shouldTranslateErrorsAndFlagsElsewhere() {
        // jnr-constants answers with the numbers of the system that the test runs on.
        for (Errno errno : Errno.values()) {
            assertThat(Platform.MAC.errno(errno)).isEqualTo(errno.number());
        }
        assertThat(Platform.MAC.toLinuxFlags(02001)).isEqualTo(02001);
        assertThat(Platform.MAC.toLinuxFlags(01302)).isEqualTo(01202);
    }

    @Test
    void shouldUseNothingOfLinuxElsewhere() {
        assertThat(Platform.MAC.callers()).isInstanceOf(UnknownCallers.class);
        assertThat(Platform.WINDOWS.callers()).isInstanceOf(UnknownCallers.class);
        assertThat(Platform.WINDOWS.names().toSystem(ByteString.copyFromUtf8("a:b")))
                .isNotEqualTo(ByteString.copyFromUtf8("a:b"));
        assertThat(Platform.MAC.names()).isSameAs(NameRules.POSIX);
    }

    @Test
    void shouldAskForTheHivesInodesAndShortLifetimesEverywhere() throws Exception {
        for (Platform platform : Platform.values()) {
            assertThat(platform.options(MountOptions.DEFAULTS).split(","))
                    .contains("use_ino", "attr_timeout=0", "negative_timeout=0")
                    .doesNotContain("ro");
            assertThat(platform.options(MountOptions.DEFAULTS.withReadOnly(true))
                            .split(","))
                    .contains("ro");
            assertThat(platform.options(MountOptions.DEFAULTS.withNosuid(true)).split(","))
                    .doesNotContain("suid", "dev");
        }
    }
}
