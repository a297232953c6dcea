package org.beefs.queenbee.replication.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.beefs.common.config.ByteSize;
import org.beefs.common.posix.FileMode;
import org.beefs.common.wire.HoneycombOffer;
import org.beefs.common.wire.HoneycombSpace;
import org.beefs.queenbee.hive.Honeycomb;
import org.beefs.queenbee.hive.Honeycombs;
import org.beefs.queenbee.hive.SplitMix;
import org.beefs.queenbee.hive.WaterMarks;
import org.beefs.queenbee.namespace.Inode;
import org.beefs.queenbee.namespace.Namespace;
import org.beefs.queenbee.operations.QueenState;
import org.beefs.queenbee.session.Session;
import org.beefs.queenbee.state.HoneycombRecord;
import org.beefs.queenbee.testing.Ask;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Copies go where there is space, and where somebody is there to serve them. */
class TargetsTest {
    private static final int FILES = 3000;
    private static final long SPACE = 1L << 40;

    private final TestHive hive = new TestHive();
    private final TestDesktop writer = new TestDesktop(hive, "writer").registered();
    private final QueenState state = hive.queenBee().state();
    private final Honeycombs honeycombs = new Honeycombs(state.journal(), hive.time(), Duration.ofSeconds(30));
    private final List<Inode> files = new ArrayList<>();
    private final Targets targets = new Targets(
            honeycombs,
            new ByteSize(0),
            new WaterMarks(5, 10),
            _ -> true,
            new FullDisks(hive.time()),
            new RefusedVersions(hive.time()),
            new Unreached(honeycombs, hive.time()));

    @BeforeEach
    void makeFiles() {
        for (int i = 0; i < FILES; i++) {
            long inode = writer.ok(Ask.mknod(Namespace.ROOT, "f" + i, FileMode.REGULAR | 0644))
                    .getNode()
                    .getAttributes()
                    .getInode();
            files.add(Objects.requireNonNull(state.namespace().find(inode)));
        }
    }

    @Test
    void shouldChooseInProportionToSpaceAndToHowMuchOfTheLastDaysTheDesktopWasAwake() throws IOException {
        add("own", 1000, SPACE);
        add("always", 1000, SPACE);
        add("seldom", 250, SPACE);
        add("seldom but roomy", 250, 4 * SPACE);

        Map<String, Integer> chosen = choose();

        assertThat(share(chosen, "always")).isCloseTo(4 / 9.0, within(0.03));
        assertThat(share(chosen, "seldom")).isCloseTo(1 / 9.0, within(0.03));
        assertThat(share(chosen, "seldom but roomy")).isCloseTo(4 / 9.0, within(0.03));
        assertThat(choose()).isEqualTo(chosen);
    }

    @Test
    void shouldMakeUseAlsoOfDesktopsThatAreHardlyEverThere() throws IOException {
        add("own", 1000, SPACE);
        add("always", 1000, SPACE);
        add("never before", 0, SPACE);

        assertThat(share(choose(), "never before")).isBetween(0.02, 0.1);
    }

    @Test
    void shouldTakeTheLeastLotsOfDifferentDesktops() throws IOException {
        add("own", 1000, SPACE);
        for (int i = 0; i < 40; i++) {
            add("desk" + i % 12, "folder" + i, 100 + 20 * i, SPACE / 8 * (1 + i % 7));
        }
        add("own", "second folder", 1000, SPACE);
        add("full", "full", 1000, 0);
        add("full too", "full too", 1000, 0);

        for (Inode file : files.subList(0, 300)) {
            List<Honeycomb> all = inOrderOfLots(file);
            assertThat(all).hasSize(14);
            for (int count : List.of(0, 1, 2, 3, 13, 14, 20)) {
                assertThat(targets.choose(file, count)).isEqualTo(all.subList(0, Math.min(count, all.size())));
            }
        }
    }

    /** Of each desktop but the primary's the one with the least lot, and the least of these first. */
    private List<Honeycomb> inOrderOfLots(Inode file) {
        Set<String> taken = new HashSet<>(Set.of("own"));
        return honeycombs.all().stream()
                .sorted(Comparator.comparingDouble(honeycomb -> lot(file, honeycomb)))
                .filter(honeycomb -> taken.add(honeycomb.desktop()))
                .toList();
    }

    private static double lot(Inode file, Honeycomb honeycomb) {
        double uniform = ((SplitMix.mix(file.number() * 31 + honeycomb.number()) >>> 11) + 1) * 0x1p-53;
        double weight =
                honeycomb.available() * Math.max(0.05, honeycomb.attendance().share());
        return -Math.log(uniform) / weight;
    }

    /** Which desktops get a copy, and how many. */
    private Map<String, Integer> choose() {
        Map<String, Integer> chosen = new HashMap<>();
        for (Inode file : files) {
            List<Honeycomb> target = targets.choose(file, 1);
            assertThat(target).hasSize(1);
            chosen.merge(target.getFirst().desktop(), 1, Integer::sum);
        }
        return chosen;
    }

    private static double share(Map<String, Integer> chosen, String desktop) {
        return chosen.getOrDefault(desktop, 0) / (double) FILES;
    }

    private void add(String desktop, int attendance, long space) throws IOException {
        add(desktop, desktop, attendance, space);
    }

    private void add(String desktop, String folder, int attendance, long space) throws IOException {
        honeycombs.load(
                honeycombs.all().size() + 1,
                HoneycombRecord.newBuilder()
                        .setUuid(TestDesktop.uuid(folder))
                        .setAttendance(attendance)
                        .build()
                        .toByteString()
                        .newCodedInput());
        Session session = state.sessions().begin(desktop, 1, state.numbering(), state.journal());
        honeycombs.connect(
                HoneycombOffer.newBuilder()
                        .setUuid(TestDesktop.uuid(folder))
                        .setBoot(1)
                        .setSpace(HoneycombSpace.newBuilder().setCapacity(space).setAvailable(space))
                        .build(),
                session);
    }
}
