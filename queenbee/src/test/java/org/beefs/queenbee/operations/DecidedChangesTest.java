package org.beefs.queenbee.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.beefs.common.log.LogLines;
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.AnsweredChange;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Goodbye;
import org.beefs.common.wire.NewInodes;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.QueenRequest;
import org.beefs.queenbee.operations.session.RegisterOperation;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.Decided;
import org.beefs.queenbee.testing.MemoryStateStore;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Changes that a desktop has made before it asked. */
class DecidedChangesTest extends DecidingDesktopTest {
    /** Within an incarnation, beyond what has been given. */
    private static final long FAR = 1L << 30;

    private static final long LATER_INCARNATION = 1L << 40;

    /** The bit that numbers have which desktops are given. */
    private static final long GIVEN = 1L << 39;

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

    @ParameterizedTest
    @ValueSource(longs = {FAR, LATER_INCARNATION, LATER_INCARNATION + GIVEN, Long.MIN_VALUE})
    void shouldRefuseANumberThatCannotHaveBeenGiven(long beyond) {
        long number = decided.number() + beyond;

        assertThat(maker.fails(Decided.mkdir(directory, "e", number))).isEqualTo(Errno.EINVAL);
        assertThat(maker.fails(decided.create(directory, "f", number, 1))).isEqualTo(Errno.EINVAL);

        assertThat(names(directory)).isEmpty();
        other.ok(Ask.create(ROOT, "usual", 0644, 1));
        assertThat(hive.fatal()).isEmpty();
    }

    @Test
    void shouldRefuseDecisionsAboutWhatNoDesktopDecides() {
        QueenRequest.Builder link = Ask.link(inode(maker.ok(Ask.mknod(ROOT, "f", 0100600))), directory, "l");
        link.setDecision(Decided.mkdir(directory, "e", decided.number()).getDecision());

        assertThat(maker.as(5, 5).fails(link)).isEqualTo(Errno.EINVAL);

        assertThat(names(directory)).isEmpty();
    }

    @Test
    void shouldRefuseARegistrationThatEndsItselfByADecision() {
        QueenRequest goodbye = QueenRequest.newBuilder()
                .setGoodbye(Goodbye.getDefaultInstance())
                .setDecision(Decided.mkdir(directory, "e", decided.number()).getDecision())
                .build();
        hive.restart();

        assertThat(maker.fails(
                        QueenRequest.newBuilder().setRegister(maker.register().addDecided(goodbye))))
                .isEqualTo(Errno.EINVAL);
        assertThat(maker.fails(QueenRequest.newBuilder()
                        .setRegister(maker.register()
                                .addChanges(AnsweredChange.newBuilder().setRequest(goodbye)))))
                .isEqualTo(Errno.EINVAL);
        assertThat(maker.fails(QueenRequest.newBuilder()
                        .setRegister(
                                maker.register().addDecided(goodbye.toBuilder().clearDecision()))))
                .isEqualTo(Errno.EINVAL);

        other.register(other.register());
        assertThat(hive.queenBee().state().sessions().areSomeAwaited())
                .as("maker may come back")
                .isTrue();
        maker.register(maker.register());
        assertThat(hive.queenBee().state().sessions().areSomeAwaited()).isFalse();
        assertThat(hive.fatal()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, LATER_INCARNATION, Long.MIN_VALUE})
    void shouldRefuseAnEpochThatCannotHaveBeenGiven(long beyond) {
        QueenRequest.Builder create = decided.create(directory, "f", decided.number(), 1);
        create.getDecisionBuilder().setEpoch(create.getDecision().getEpoch() + beyond);

        assertThat(maker.fails(create)).isEqualTo(Errno.EINVAL);

        assertThat(names(directory)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldMakeWhatWasDecidedWithNumbersOfALaterQueenBeeThanTheStateKnows(int starts) {
        MemoryStateStore store = new MemoryStateStore();
        TestHive lost = new TestHive(store);
        MemoryStateStore older = store.copy();
        for (int start = 0; start < starts; start++) {
            lost.restart();
        }
        TestDesktop laptop = new TestDesktop(lost, "laptop");
        Decided there = new Decided(laptop.register(laptop.register().clearHoneycomb()));
        QueenRequest make = Decided.mkdir(ROOT, "made", there.number()).build();

        TestHive restored = new TestHive(older);
        TestDesktop back = new TestDesktop(restored, "laptop");
        try (LogLines log = new LogLines(RegisterOperation.class.getName())) {
            back.register(back.register().clearHoneycomb().addDecided(make));

            assertThat(log.warnings())
                    .anyMatch(line -> line.startsWith("laptop has decided changes that were made after"));
        }
        assertThat(restored.names(ROOT))
                .containsEntry("made", make.getDecision().getInode());
        long next = inode(back.ok(Ask.mkdir(ROOT, "next", 0755)));
        assertThat(next).isGreaterThan(make.getDecision().getInode());
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
