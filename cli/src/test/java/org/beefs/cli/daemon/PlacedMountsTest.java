package org.beefs.cli.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.beefs.cli.daemon.PlacedMounts.Sight;
import org.beefs.cli.mounts.MountTable;
import org.beefs.cli.state.MountMemory;
import org.beefs.common.metrics.Latencies;
import org.beefs.honeybee.mount.Mount;
import org.beefs.honeybee.mount.NoMount;
import org.beefs.honeybee.mount.RequestMeter.Opens;
import org.junit.jupiter.api.Test;

class PlacedMountsTest {
    private static final Path PLACE = Path.of("/mnt/hive");
    private static final MountTable NOTHING = MountTable.parse("");
    private static final MountTable FIRST = table("30 1 0:40 / /mnt/hive rw - fuse.beefs beefs rw");
    private static final MountTable COVERED =
            table("30 1 0:40 / /mnt/hive rw - fuse.beefs beefs rw", "31 30 0:41 / /mnt/hive rw - tmpfs tmpfs rw");
    private static final MountTable SECOND = table("31 1 0:41 / /mnt/hive rw - fuse.beefs beefs rw");

    private final PlacedMounts mounts = new PlacedMounts();
    private final Mount first = new NoMount(PLACE);
    private final Mount second = new NoMount(PLACE);

    @Test
    void shouldKnowTheMountThatIsSeenAtAPlace() {
        mounts.put(PLACE, first, FIRST);

        assertThat(mounts.seenAt(PLACE, FIRST)).contains(first);
        assertThat(mounts.seenAt(Path.of("/mnt"), FIRST)).isEmpty();
    }

    @Test
    void shouldNotTakeAMountForSeenThatWasTakenFromItsPlace() {
        mounts.put(PLACE, first, FIRST);

        assertThat(mounts.seenAt(PLACE, NOTHING)).isEmpty();
        assertThat(mounts.seenAt(PLACE, SECOND))
                .as("what another daemon mounts")
                .isEmpty();
        assertThat(mounts.at(PLACE)).as("until it has ended").contains(first);
    }

    @Test
    void shouldNotSeeAMountThatAnotherCovers() {
        mounts.put(PLACE, first, FIRST);

        assertThat(mounts.seenAt(PLACE, COVERED)).isEmpty();
    }

    /** Only what is seen can be unmounted by its path: otherwise that would take away something else. */
    @Test
    void shouldTellWhatIsCoveredFromWhatWasTakenAway() {
        mounts.put(PLACE, first, FIRST);

        assertThat(mounts.sight(PLACE, FIRST)).isEqualTo(Sight.SEEN);
        assertThat(mounts.sight(PLACE, COVERED)).isEqualTo(Sight.COVERED);
        assertThat(mounts.sight(PLACE, NOTHING)).isEqualTo(Sight.DETACHED);
        assertThat(mounts.sight(PLACE, table("31 1 0:41 / /mnt/hive rw - ext4 /dev/sdb rw")))
                .isEqualTo(Sight.DETACHED);
        assertThat(mounts.sight(PLACE, table("30 1 0:40 / /mnt/other rw - fuse.beefs beefs rw")))
                .as("moved to another place")
                .isEqualTo(Sight.DETACHED);
    }

    @Test
    void shouldSeeNoMountWhereNoneWasMade() {
        assertThat(mounts.sight(PLACE, FIRST)).isEqualTo(Sight.DETACHED);
    }

    @Test
    void shouldKeepTheNewMountWhenTheReplacedOneEnds() {
        mounts.put(PLACE, first, FIRST);
        mounts.put(PLACE, second, SECOND);
        assertThat(mounts.all()).containsExactlyInAnyOrder(first, second);

        assertThat(mounts.remove(PLACE, first)).isFalse();

        assertThat(mounts.seenAt(PLACE, SECOND)).contains(second);
        assertThat(mounts.shown()).containsExactly(Map.entry("/mnt/hive", second));
        assertThat(mounts.all()).containsExactly(second);
    }

    @Test
    void shouldForgetAMountThatEnds() {
        mounts.put(PLACE, first, FIRST);

        assertThat(mounts.remove(PLACE, first)).isTrue();
        assertThat(mounts.remove(PLACE, first)).isFalse();

        assertThat(mounts.shown()).isEmpty();
        assertThat(mounts.all()).isEmpty();
    }

    /** Counters of a daemon never fall. */
    @Test
    void shouldCountWhatMountsWereAskedThatHaveEnded() {
        Mount asked = new AskedMount(3, 2);
        Mount later = new AskedMount(5, 0);
        mounts.put(PLACE, asked, FIRST);
        mounts.put(PLACE, later, SECOND);
        assertThat(opens()).isEqualTo(new Opens(8, 2));

        mounts.remove(PLACE, asked);
        mounts.remove(PLACE, later);
        mounts.remove(PLACE, later);

        assertThat(opens()).isEqualTo(new Opens(8, 2));
        assertThat(desktop().times())
                .hasEntrySatisfying(
                        "open", reading -> assertThat(reading.total()).isEqualTo(10));
    }

    private Opens opens() {
        return desktop().opens();
    }

    private DesktopMounts desktop() {
        return DesktopMountsTest.mounts(mounts, new MountMemory(Path.of("unused")));
    }

    /** So many files were opened through it. */
    private static final class AskedMount extends NoMount {
        private final Opens opens;
        private final Latencies times = new Latencies();

        AskedMount(int passthrough, int daemon) {
            super(PLACE);
            opens = new Opens(passthrough, daemon);
            IntStream.range(0, passthrough + daemon).forEach(_ -> times.took(1000));
        }

        @Override
        public SortedMap<String, Latencies.Reading> times() {
            return new TreeMap<>(Map.of("open", times.read()));
        }

        @Override
        public Opens opens() {
            return opens;
        }
    }

    /** One that nobody could see when it was made is believed in until it ends: it would be mounted again and again. */
    @Test
    void shouldBelieveInAMountThatCouldNotBeSeen() {
        mounts.put(PLACE, first, NOTHING);

        assertThat(mounts.seenAt(PLACE, NOTHING)).contains(first);
    }

    private static MountTable table(String... lines) {
        return MountTable.parse(String.join("\n", lines));
    }
}
