package org.beefs.queenbee.replication.departure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.beefs.queenbee.replication.departure.Candidates.Candidate;
import org.beefs.queenbee.replication.departure.Candidates.Kind;
import org.junit.jupiter.api.Test;

class CandidatesTest {
    private static final long MIB = 1 << 20;
    private static final Candidate IMAGE = new Candidate(1, Kind.SECONDARY, 1, 1024 * MIB);

    private final Candidates candidates = new Candidates();

    @Test
    void shouldLetLargeOnesGoThoughManySmallOnesDoForWhoWaits() {
        candidates.add(IMAGE);
        addSmall(2 * Candidates.MOST, Kind.PRIMARY, MIB / 16);

        List<Candidate> chosen = choose(MIB, 512 * MIB, Candidates.MOST);

        assertThat(chosen).hasSize(17).endsWith(IMAGE);
        assertThat(chosen.subList(0, 16)).allMatch(Candidate::isQuick);
    }

    @Test
    void shouldLetNoMoreThanHalfOfThoseThatLeaveDoSoForWhoWaits() {
        candidates.add(IMAGE);
        addSmall(2 * Candidates.MOST, Kind.SECONDARY, 1);

        List<Candidate> chosen = choose(MIB, 512 * MIB, Candidates.MOST);

        assertThat(chosen).hasSize(Candidates.MOST / 2 + 1).endsWith(IMAGE);
    }

    @Test
    void shouldKnowTheFirstSmallOnesThoughThereAreManyLargeOnes() {
        for (int i = 0; i < 2 * Candidates.MOST; i++) {
            addIfMay(new Candidate(i, Kind.SECONDARY, i, 1024 * MIB));
        }
        Candidate small = new Candidate(-1, Kind.PRIMARY, Long.MAX_VALUE, MIB);
        addIfMay(small);

        assertThat(choose(MIB, 0, Candidates.MOST)).containsExactly(small);
    }

    @Test
    void shouldChooseOnlyWhatLacks() {
        addSmall(10, Kind.SECONDARY, MIB);

        assertThat(choose(0, 3 * MIB, Candidates.MOST)).hasSize(3);
        assertThat(choose(0, 3 * MIB, 2)).hasSize(2);
        assertThat(choose(-MIB, -MIB, Candidates.MOST)).isEmpty();
    }

    private List<Candidate> choose(long awaited, long lack, int most) {
        return candidates.choose(candidates.chooseQuick(awaited, most), lack, most);
    }

    private void addSmall(int count, Kind kind, long bytes) {
        for (int i = 0; i < count; i++) {
            addIfMay(new Candidate(1000 + i, kind, 1000 + i, bytes));
        }
    }

    private void addIfMay(Candidate candidate) {
        if (candidates.mayTake(candidate)) {
            candidates.add(candidate);
        }
    }
}
