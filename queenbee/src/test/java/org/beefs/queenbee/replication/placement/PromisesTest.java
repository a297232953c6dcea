package org.beefs.queenbee.replication.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;

class PromisesTest {
    private static final long SIZE = 1 << 20;
    private static final long AVAILABLE = 1L << 30;

    private final TestHive hive = new TestHive();
    private final TestDesktop writer = desktop("writer");
    private final Honeycomb one = honeycomb("one");
    private final Honeycomb two = honeycomb("two");
    private final Promises promises = new Promises();

    private TestDesktop desktop(String name) {
        TestDesktop desktop = new TestDesktop(hive, name);
        desktop.setAvailable(AVAILABLE);
        return desktop.registered();
    }

    private Honeycomb honeycomb(String name) {
        desktop(name);
        return hive.queenBee().state().honeycombs().lastOn(name);
    }

    private Inode file(String name) {
        long handle = writer.newHandle();
        long file = writer.ok(Ask.create(Namespace.ROOT, name, 0644, handle))
                .getNode()
                .getAttributes()
                .getInode();
        writer.ok(Ask.release(file, handle, Ask.written(file, SIZE)));
        return Objects.requireNonNull(hive.queenBee().state().namespace().find(file));
    }

    @Test
    void shouldLeaveWhatAFileWouldHaveTakenAnywhereWhenItIsGone() {
        Inode gone = file("gone");
        Inode stays = file("stays");
        promises.make(one, gone);
        promises.make(two, gone);
        promises.make(two, stays);
        assertThat(promises.available(one)).isEqualTo(AVAILABLE - gone.space());

        promises.forget(gone.number());

        assertThat(promises.available(one)).isEqualTo(AVAILABLE);
        assertThat(promises.available(two)).isEqualTo(AVAILABLE - stays.space());
        assertThat(promises.forget(two, gone.number())).isZero();
        assertThat(promises.forget(two, stays.number())).isEqualTo(stays.space());
        assertThat(promises.available(two)).isEqualTo(AVAILABLE);
    }

    /** A sparse file may be almost as large as numbers are: less than nothing, without that too, would be much. */
    @Test
    void shouldLeaveNothingWhereLessIsFreeThanWasPromised() {
        promises.make(one, file("f"));
        one.setAvailable(SIZE / 2);

        assertThat(promises.available(one)).isZero();
    }

    @Test
    void shouldCountWhatIsPromisedOnce() {
        Inode file = file("f");
        promises.make(one, file);
        promises.make(one, file);
        assertThat(promises.available(one)).isEqualTo(AVAILABLE - file.space());

        promises.keep(one, file.number());

        assertThat(promises.available(one)).isEqualTo(AVAILABLE - file.space());
        assertThat(one.available()).isEqualTo(AVAILABLE - file.space());
    }
}
