package org.beefs.queenbee.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.NewInodes;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.QueenRequest;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.Decided;
import org.beefs.queenbee.testing.MemoryStateStore;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;

/** Changes that a desktop has made before it asked. */
class DecidedChangesTest extends DecidingDesktopTest {
    @Test
    void shouldMakeAFileAsItWasChosen() {
        long number = decided.number();

        Node made = maker.ok(decided.create(directory, "f", number, 1)).getNode();

        assertThat(made.getCreated()).isTrue();
        assertThat(made.getDelegated()).isTrue();
        shouldBeOf(made.getAttributes(), number);
        assertThat(made.getLayout().getInode()).isEqualTo(number);
        assertThat(made.getLayout().getHoneycomb()).isEqualTo(TestDesktop.uuid("maker"));
        assertThat(made.getLayout().getEpoch())
                .isEqualTo(decided.given().getLayout().getEpoch());
        assertThat(made.getLayout().getDirty()).isTrue();
        Attributes parent = maker.ok(Ask.attributes(directory)).getNode().getAttributes();
        assertThat(parent.getMtime().getSeconds()).isEqualTo(Decided.TIME);
        assertThat(parent.getCtime().getSeconds()).isEqualTo(Decided.TIME);
    }

    @Test
    void shouldMakeADirectoryAsItWasChosen() {
        long number = decided.number();

        Node made = maker.ok(Decided.mkdir(directory, "e", number)).getNode();

        assertThat(made.getDelegated()).isTrue();
        shouldBeOf(made.getAttributes(), number);
    }

    private static void shouldBeOf(Attributes made, long number) {
        assertThat(made.getInode()).isEqualTo(number);
        assertThat(List.of(made.getAtime(), made.getMtime(), made.getCtime(), made.getBtime()))
                .allMatch(time -> time.getSeconds() == Decided.TIME);
    }

    @Test
    void shouldMakeItWhereItWasChosenThoughItWouldGoElsewhereNow() {
        maker.setSpace(1L << 40, 1L << 40);
        maker.ok(QueenRequest.newBuilder().setHeartbeat(maker.heartbeat()));
        assertThat(desktopOf(maker.ok(Ask.create(directory, "usual", 0644, 1)))).isEqualTo("other");

        assertThat(desktopOf(maker.ok(decided.create(directory, "f", decided.number(), 2))))
                .isEqualTo("maker");
    }

    @Test
    void shouldLetADesktopWithoutAHoneycombMakeFilesOnAnother() {
        TestDesktop laptop = new TestDesktop(hive, "laptop");
        Decided there = new Decided(laptop.register(laptop.register().clearHoneycomb()));
        NewInodes given = there.given();
        long folder = inode(laptop.ok(Ask.mkdir(ROOT, "l", 0755)));

        Node made = laptop.ok(there.create(folder, "f", there.number(), 1)).getNode();

        assertThat(given.getElsewhere()).isTrue();
        assertThat(made.getLayout().getHoneycomb()).isEqualTo(given.getLayout().getHoneycomb());
        assertThat(made.getLayout().getEpoch()).isEqualTo(given.getLayout().getEpoch());
        assertThat(made.getDelegated()).isTrue();
        assertThat(made.getWriteLeased()).isTrue();
    }

    @Test
    void shouldNotHaveAReplicaRemovedOfAFileThatItHasNotBeenAskedFor() {
        long number = decided.number();

        assertThat(toldToDrop(maker, number))
                .as("programs have made it, and written to it")
                .isEmpty();
    }

    @Test
    void shouldNotHaveAReplicaRemovedOfAFileThatWasLostWithHerPower() {
        MemoryStateStore store = new MemoryStateStore();
        TestHive lossy = new TestHive(store);
        TestDesktop desktop = new TestDesktop(lossy, "maker");
        Decided gift = Decided.register(desktop);
        desktop.ok(Ask.mkdir(ROOT, "before", 0755));
        desktop.ok(Ask.sync());
        lossy.holdFlushes();
        long number = gift.number();
        desktop.ok(gift.create(ROOT, "f", number, 1));

        store.losePower(_ -> 0);
        TestDesktop again = new TestDesktop(new TestHive(store), "maker", 2, 2).holding(number);
        again.register(again.register());

        assertThat(toldToDrop(again, number)).as("it is the only copy").isEmpty();
    }
}
