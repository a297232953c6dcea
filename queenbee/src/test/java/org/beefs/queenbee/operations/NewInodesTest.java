package org.beefs.queenbee.operations;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.beefs.common.wire.Heartbeat;
import org.beefs.common.wire.NewInodes;
import org.beefs.common.wire.QueenRequest;
import org.beefs.queenbee.journal.Numbering;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.Decided;
import org.beefs.queenbee.testing.TestDesktop;
import org.junit.jupiter.api.Test;

/** What desktops are given to make inodes with before they ask. */
class NewInodesTest extends DecidingDesktopTest {
    @Test
    void shouldGiveWhatADesktopNeeds() {
        NewInodes given = decided.given();

        assertThat(given.getCount()).isEqualTo(16_384);
        assertThat(given.getLayout().getHoneycomb()).isEqualTo(TestDesktop.uuid("maker"));
        assertThat(given.getLayout().getDirty()).isTrue();
        assertThat(given.getLayout().getReadable()).isTrue();
    }

    @Test
    void shouldGiveNumbersAgainWhenFewAreLeft() {
        assertThat(heartbeat(16_000).getCount()).isZero();
        assertThat(heartbeat(100).getCount()).isEqualTo(16_284);
    }

    @Test
    void shouldNotBelieveThatADesktopHasMoreNumbersThanItCanHave() {
        assertThat(heartbeat(Integer.MIN_VALUE).getCount()).isEqualTo(16_384);
        assertThat(heartbeat(-1).getCount()).isEqualTo(16_384);
    }

    @Test
    void shouldNotSayThatFilesGoToAHoneycombThatIsFull() {
        maker.setSpace(1L << 40, 1L << 40);

        assertThat(heartbeat(16_384).hasLayout()).isFalse();
    }

    @Test
    void shouldSendNewFilesToAHoneycombThatTheirDesktopReaches() {
        TestDesktop laptop = withoutHoneycomb();
        other.setSpace(1L << 40, 1L << 30);
        other.ok(QueenRequest.newBuilder().setHeartbeat(other.heartbeat()));

        assertThat(placeOf(laptop)).isEqualTo(TestDesktop.uuid("maker"));
        assertThat(placeOf(laptop, "maker")).isEqualTo(TestDesktop.uuid("other"));
        assertThat(laptop.ok(Ask.create(ROOT, "f", 0644, 1))
                        .getNode()
                        .getLayout()
                        .getHoneycomb())
                .isEqualTo(TestDesktop.uuid("other"));
        assertThat(placeOf(laptop)).isEqualTo(TestDesktop.uuid("maker"));
    }

    @Test
    void shouldSendNoNewFilesToAHoneycombThatIsBeingEmptiedThoughTheOtherIsNotReached() {
        TestDesktop laptop = withoutHoneycomb();
        maker.ok(Ask.drain("other", false));

        assertThat(placeOf(laptop, "maker")).isEqualTo(TestDesktop.uuid("maker"));
    }

    @Test
    void shouldRememberWhatIsNotReachedWhenADesktopRegistersAnew() {
        TestDesktop laptop = withoutHoneycomb();

        NewInodes anew = laptop.register(laptop.register().clearHoneycomb().addUnreached(TestDesktop.uuid("maker")))
                .getNewInodes();

        assertThat(anew.getLayout().getHoneycomb()).isEqualTo(TestDesktop.uuid("other"));
    }

    @Test
    void shouldSendNewFilesSomewhereThoughTheirDesktopReachesNone() {
        TestDesktop laptop = withoutHoneycomb();

        assertThat(placeOf(laptop, "maker", "other")).isNotEqualTo(ByteString.EMPTY);
    }

    private TestDesktop withoutHoneycomb() {
        TestDesktop laptop = new TestDesktop(hive, "laptop");
        laptop.register(laptop.register().clearHoneycomb());
        return laptop;
    }

    /** Where the desktop's new files go by the answer to a heartbeat. */
    private static ByteString placeOf(TestDesktop desktop, String... unreached) {
        Heartbeat.Builder heartbeat = Heartbeat.newBuilder();
        List.of(unreached).forEach(name -> heartbeat.addUnreached(TestDesktop.uuid(name)));
        return desktop.ok(QueenRequest.newBuilder().setHeartbeat(heartbeat))
                .getNewInodes()
                .getLayout()
                .getHoneycomb();
    }

    @Test
    void shouldNotUseNumbersTwice() {
        TestDesktop third = new TestDesktop(hive, "third");
        Set<Long> used = new HashSet<>();
        List<NewInodes> gifts = List.of(
                decided.given(), others.given(), Decided.register(third).given(), heartbeat(0), heartbeat(8_000));

        int given = 0;
        for (NewInodes gift : gifts) {
            given += gift.getCount();
            LongStream.range(gift.getFirst(), gift.getFirst() + gift.getCount()).forEach(used::add);
        }

        assertThat(used).hasSize(given);
        assertThat(used).doesNotContain(inode(maker.ok(Ask.mkdir(ROOT, "mine", 0755))));
        assertThat(used).doesNotContain(inode(other.ok(Ask.create(ROOT, "others", 0644, 1))));
    }

    @Test
    void shouldNotUseNumbersTwiceAfterARestart() {
        NewInodes given = decided.given();

        hive.restart();
        NewInodes anew = Decided.register(maker).given();
        other.registered();
        long made = inode(other.ok(Ask.mkdir(ROOT, "e", 0755)));

        assertThat(List.of(anew.getFirst(), made)).allMatch(number -> number >= given.getFirst() + given.getCount());
    }

    @Test
    void shouldGoOnInTheNextIncarnationWhenTheNumbersOfOneAreUsedUp() {
        long issued = inode(other.ok(Ask.mkdir(ROOT, "issued", 0755)));
        long incarnation = numbering().incarnation();
        useUpAllBut(100);
        NewInodes given = heartbeat(0);

        assertThat(numbering().incarnation()).isEqualTo(incarnation + 1);
        assertThat(List.of(given.getFirst(), given.getFirst() + given.getCount() - 1))
                .allMatch(Numbering::isGiven)
                .allMatch(number -> Numbering.incarnationOf(number) == incarnation + 1);
        maker.ok(Decided.mkdir(ROOT, "earlier", decided.number()));
        maker.ok(Decided.mkdir(ROOT, "later", given.getFirst()));
        assertThat(inode(other.ok(Ask.mkdir(ROOT, "mine", 0755))))
                .isEqualTo(numbering().base());
        assertThat(numbering().hasIssued(issued, issued)).isTrue();
        hive.restart();
        assertThat(numbering().incarnation()).isEqualTo(incarnation + 2);
    }

    private Numbering numbering() {
        return hive.queenBee().state().numbering();
    }

    private void useUpAllBut(int left) {
        long end = (numbering().incarnation() + 1) << 40;
        for (long rest = end - numbering().lastGiven() - 1 - left; rest > 0; rest -= Integer.MAX_VALUE) {
            numbering().give((int) Math.min(rest, Integer.MAX_VALUE));
        }
    }

    private NewInodes heartbeat(int left) {
        return maker.ok(QueenRequest.newBuilder().setHeartbeat(maker.heartbeat().setNumbersLeft(left)))
                .getNewInodes();
    }
}
