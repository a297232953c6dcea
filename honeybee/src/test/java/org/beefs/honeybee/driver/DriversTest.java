package org.beefs.honeybee.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executors;
import org.beefs.honeybee.driver.Drivers.Mounter;
import org.beefs.honeybee.fuse.MemoryFileSystem;
import org.beefs.honeybee.mount.Driver;
import org.beefs.honeybee.mount.Mount;
import org.beefs.honeybee.mount.MountOptions;
import org.beefs.honeybee.mount.MountRefusedException;
import org.beefs.honeybee.mount.NoMount;
import org.junit.jupiter.api.Test;

class DriversTest {
    private static final Path TARGET = Path.of("/mnt/hive");

    private final Mount byNative = new NoMount(TARGET);
    private final Mount byJnr = new NoMount(TARGET);
    private final Mounter working = (target, fileSystem, options) -> byNative;
    private final Mounter broken = (target, fileSystem, options) -> {
        throw new IOException("the kernel is too old");
    };
    private final Mounter jnr = (target, fileSystem, options) -> byJnr;

    @Test
    void shouldUseTheNativeDriverWhereItWorks() throws IOException {
        assertThat(mount(working, jnr, Driver.AUTOMATIC)).isSameAs(byNative);
    }

    @Test
    void shouldUseTheOtherWhereTheNativeDriverCannotWork() throws IOException {
        assertThat(mount(broken, jnr, Driver.AUTOMATIC)).isSameAs(byJnr);
    }

    @Test
    void shouldTellWhyNeitherDriverCanWork() {
        Mounter unavailable = (target, fileSystem, options) -> {
            throw new IOException("no library");
        };

        assertThatThrownBy(() -> mount(broken, unavailable, Driver.AUTOMATIC))
                .isInstanceOf(IOException.class)
                .hasMessage("the kernel is too old; and the jnr driver does not mount it either: no library");
    }

    @Test
    void shouldNotTryTheOtherWhereTheRightsForbidIt() {
        Mounter refused = (target, fileSystem, options) -> {
            throw new MountRefusedException("/dev/fuse is for root only");
        };

        assertThatThrownBy(() -> mount(refused, jnr, Driver.AUTOMATIC))
                .isInstanceOf(IOException.class)
                .hasMessage("/dev/fuse is for root only");
    }

    @Test
    void shouldUseTheDriverThatWasAskedForAndNoOther() throws IOException {
        assertThat(mount(working, jnr, Driver.JNR)).isSameAs(byJnr);
        for (Driver chosen : List.of(Driver.NATIVE, Driver.RINGS)) {
            assertThat(mount(working, jnr, chosen)).isSameAs(byNative);
            assertThatThrownBy(() -> mount(broken, jnr, chosen)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void shouldKnowDriversByTheirWords() {
        assertThat(Driver.of("jnr")).isEqualTo(Driver.JNR);
        assertThatThrownBy(() -> Driver.of("fast"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("there is no driver \"fast\", only automatic, native, rings, jnr");
    }

    private static Mount mount(Mounter nativeDriver, Mounter other, Driver chosen) throws IOException {
        try (var executor = Executors.newSingleThreadExecutor()) {
            return new Drivers(nativeDriver, other)
                    .mount(TARGET, new MemoryFileSystem(executor), MountOptions.DEFAULTS.withDriver(chosen));
        }
    }
}
