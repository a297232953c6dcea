package org.beefs.queenbee.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.Stream;
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.DesktopReport;
import org.beefs.common.wire.HiveReport;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Register;
import org.beefs.common.wire.Seal;
import org.beefs.common.wire.SetAttributes;
import org.beefs.common.wire.Timestamp;
import org.beefs.queenbee.hive.Presence;
import org.beefs.queenbee.namespace.PackedTime;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.TestDesktop;
import org.junit.jupiter.api.Test;

/** What becomes of files whose primaries were on a desktop that is declared lost. */
class LostPrimaryTest extends ComingAndGoingTest {
    @Test
    void shouldPromoteASecondaryWhenThePrimaryIsLostAndItsLeaseIsOver() {
        long inode = createCopied("f");
        long epoch = hive.inode(inode).epoch();
        go(writer);
        declareLost("writer");
        advance(CONFIG.lease().dividedBy(2));
        assertThat(honeycombOf(inode).desktop()).isEqualTo("writer");

        advance(LEASE);

        assertThat(honeycombOf(inode).desktop()).isIn("second", "third");
        assertThat(hive.inode(inode).epoch()).isGreaterThan(epoch);
        assertThat(hive.inode(inode).moving()).isFalse();
        Seal promotion = Stream.of(second, third)
                .flatMap(desktop -> desktop.received().stream())
                .flatMap(request -> request.getSeal().getSealsList().stream())
                .filter(Seal::getMoved)
                .findFirst()
                .orElseThrow();
        assertThat(promotion.getVersion()).isEqualTo(hive.inode(inode).version());
        assertThat(promotion.getReplica().getEpoch())
                .isEqualTo(hive.inode(inode).epoch());
    }

    @Test
    void shouldNotPromoteAStaleSecondary() {
        long inode = createCopied("f");
        rewrite(writer, inode, 2);
        go(writer);
        declareLost("writer");

        advance(LEASE.multipliedBy(4));

        assertThat(honeycombOf(inode).desktop()).isEqualTo("writer");
    }

    @Test
    void shouldLeaveADirtyFileToItsDesktopUnlessThatIsDeclaredLost() {
        long inode = createCopied("f");
        open(writer, inode);
        go(writer);
        advance(CONFIG.graceTime().plus(Duration.ofHours(1)));
        assertThat(presence(writer)).isEqualTo(Presence.LOST);
        assertThat(honeycombOf(inode).desktop()).isEqualTo("writer");
        assertThat(hive.inode(inode).dirty()).isTrue();

        declareLost("writer");
        advance(CONFIG.heartbeat());

        assertThat(honeycombOf(inode).desktop()).isNotEqualTo("writer");
        assertThat(hive.inode(inode).dirty()).isFalse();
    }

    /** Its disk was replaced before anybody said so. */
    @Test
    void shouldGiveUpWhatIsGoneOfADesktopThatHasAnEmptyFolderNow() {
        long inode = createCopied("f");
        open(writer, inode);
        go(writer);
        comeWithAnEmptyFolder();

        declareLost("writer");
        advance(LEASE);

        assertThat(honeycombOf(inode).desktop()).isNotEqualTo("writer");
        assertThat(hive.inode(inode).dirty()).isFalse();
        assertThat(lost("writer").getFailure().getErrno())
                .as("what is left of it is there")
                .isEqualTo(Errno.EBUSY.number());
    }

    @Test
    void shouldGiveUpAllFoldersOfADesktopThatIsGone() {
        go(writer);
        go(comeWithAnEmptyFolder());

        declareLost("writer");
        advance(LEASE);

        assertThat(honeycombs().filter(honeycomb -> honeycomb.desktop().equals("writer")))
                .hasSize(2)
                .allMatch(honeycomb -> honeycomb.presence() == Presence.LOST);
    }

    @Test
    void shouldTellOfTheFolderThatADesktopHadBefore() {
        assertThat(reportOf("writer").getEarlierFolders()).isZero();
        go(writer);
        assertThat(reportOf("writer").getEarlierFolders())
                .as("it is the one that is shown")
                .isZero();
        comeWithAnEmptyFolder();

        assertThat(reportOf("writer").getPresence()).isEqualTo(org.beefs.common.wire.Presence.AWAKE);
        assertThat(reportOf("writer").getEarlierFolders()).isOne();
        advance(CONFIG.graceTime().plus(Duration.ofHours(1)));
        assertThat(reportOf("writer").getEarlierFolders())
                .as("what was being written there is still waited for")
                .isOne();

        declareLost("writer");
        assertThat(reportOf("writer").getEarlierFolders()).isZero();
    }

    /** Who empties a desktop and sets it up anew has nothing to give up. */
    @Test
    void shouldNotMissAFolderThatWasDrained() {
        createCopied("f");
        come(new TestDesktop(hive, "fourth"));
        second.ok(Ask.drain("writer", false));
        advance(COHERENCE);
        assertThat(reportOf("writer").getDrain().getReplicas()).isZero();
        go(writer);

        comeWithAnEmptyFolder();

        assertThat(reportOf("writer").hasDrain()).isFalse();
        assertThat(reportOf("writer").getEarlierFolders()).isZero();
    }

    /** Who has emptied the former folder may not take that for the present one's. */
    @Test
    void shouldTellOfTheFolderThatADesktopHadLastWhileItIsAway() {
        second.ok(Ask.drain("writer", false));
        advance(COHERENCE);
        go(writer);
        TestDesktop again = comeWithAnEmptyFolder();
        long handle = 1000 + again.newHandle();
        long inode = again.ok(Ask.create(ROOT, "f", 0644, handle))
                .getNode()
                .getAttributes()
                .getInode();
        again.ok(Ask.release(inode, handle, written(inode, 1)));
        go(again);

        second.ok(Ask.drain("writer", false));
        advance(COHERENCE);

        assertThat(status().getDesktopsList())
                .filteredOn(report -> report.getDesktop().equals("writer"))
                .singleElement()
                .satisfies(report -> {
                    assertThat(report.getHoneycomb().getUuid()).isEqualTo(TestDesktop.uuid("empty"));
                    assertThat(report.getDrain().getReplicas()).isOne();
                    assertThat(report.getEarlierFolders()).isZero();
                });
    }

    @Test
    void shouldTellOfEarlierFoldersAlsoWhileADesktopIsAway() {
        createCopied("f");
        go(writer);
        go(comeWithAnEmptyFolder());

        assertThat(reportOf("writer").getHoneycomb().getUuid()).isEqualTo(TestDesktop.uuid("empty"));
        assertThat(reportOf("writer").getEarlierFolders()).isOne();
    }

    private HiveReport status() {
        return second.ok(Ask.status()).getHiveReport();
    }

    private DesktopReport reportOf(String desktop) {
        return second.ok(Ask.status()).getHiveReport().getDesktopsList().stream()
                .filter(report -> report.getDesktop().equals(desktop))
                .findFirst()
                .orElseThrow();
    }

    private TestDesktop comeWithAnEmptyFolder() {
        hive.advance(Duration.ofSeconds(5)); // for so long the daemon of its former folder may come back
        TestDesktop again = new TestDesktop(hive, "writer", 2, 1);
        Register.Builder register = again.register();
        register.getHoneycombBuilder().setUuid(TestDesktop.uuid("empty"));
        again.register(register);
        again.inventoried();
        awake.add(again);
        return again;
    }

    /** Its folder may never come back, and administrators wait for this number to fall. */
    @Test
    void shouldNotCountReplicasThatWouldBeRemovedFromALostDesktop() {
        createCopied("f");
        go(writer);
        advance(LEASE);
        second.ok(Ask.unlink(ROOT, "f"));
        advance(CONFIG.heartbeat());
        assertThat(status().getPendingDrops()).isOne();

        declareLost("writer");
        assertThat(status().getPendingDrops()).isZero();

        writer.register(writer.register());
        assertThat(status().getPendingDrops()).isOne();
    }

    @Test
    void shouldNotGiveUpWhatSomebodyElseIsStillWriting() {
        long inode = createCopied("f");
        writer.ok(Ask.open(inode, 1000 + writer.newHandle(), true, false));
        long handle = open(third, inode);
        go(writer);
        declareLost("writer");
        advance(LEASE.multipliedBy(2));
        assertThat(honeycombOf(inode).desktop()).isEqualTo("writer");

        third.ok(Ask.release(inode, handle));
        advance(CONFIG.heartbeat());

        assertThat(honeycombOf(inode).desktop()).isNotEqualTo("writer");
    }

    @Test
    void shouldLetNobodyBeginToWriteWhatOthersKeepFromGoingOn() {
        long inode = createCopied("f");
        writer.ok(Ask.open(inode, 1000 + writer.newHandle(), true, false));
        long handle = open(third, inode);
        loseTheWriter();

        assertThat(second.fails(Ask.open(inode, 1000 + second.newHandle(), true, true)))
                .isEqualTo(Errno.EIO);
        second.ok(Ask.open(inode, 1000 + second.newHandle(), true, false));
        third.ok(Ask.release(inode, handle));
        open(second, inode);

        assertThat(honeycombOf(inode).desktop()).isNotEqualTo("writer");
        assertThat(hive.inode(inode).dirty()).isTrue();
    }

    @Test
    void shouldSetNoTimesOfWhatOthersKeepFromGoingOn() {
        long inode = createCopied("f");
        long mtime = hive.inode(inode).mtime();
        writer.ok(Ask.open(inode, 1000 + writer.newHandle(), true, false));
        open(third, inode);
        loseTheWriter();

        assertThat(second.fails(touch(second, inode))).isEqualTo(Errno.EIO);

        assertThat(hive.fatal()).isEmpty();
        assertThat(hive.inode(inode).mtime()).isEqualTo(mtime);
    }

    @Test
    void shouldSetTimesWhenAnotherReplicaHasTakenThePlaceOfTheLostPrimary() {
        long inode = createCopied("f");
        open(writer, inode);
        go(writer);
        advance(CONFIG.graceTime().plus(Duration.ofHours(1)));
        declareLost("writer");

        second.ok(touch(second, inode));

        assertThat(hive.fatal()).isEmpty();
        assertThat(honeycombOf(inode).desktop()).isNotEqualTo("writer");
        assertThat(hive.inode(inode).mtime())
                .isEqualTo(PackedTime.of(Timestamp.newBuilder().setSeconds(7).build()));
    }

    private static QueenRequest.Builder touch(TestDesktop desktop, long inode) {
        return Ask.change(SetAttributes.newBuilder()
                .setInode(inode)
                .setHandle(1000 + desktop.newHandle())
                .setMtime(Timestamp.newBuilder().setSeconds(7)));
    }

    private static void rewrite(TestDesktop desktop, long inode, long time) {
        desktop.ok(Ask.release(inode, open(desktop, inode), written(inode, time)));
    }
}
