package org.beefs.honeybee.filesystem.prefetch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RecentScansTest {
    private static final int MOST = 4;

    private final RecentScans scans = new RecentScans(MOST);

    @Test
    void shouldFindTheLatestListingOfAnInode() {
        DirectoryScan former = scans.add(1, 0, new long[] {10, 11}, 2);
        DirectoryScan latest = scans.add(1, 0, new long[] {10}, 1);

        assertThat(scans.find(10)).isSameAs(latest);
        assertThat(scans.find(11)).isSameAs(former);
        assertThat(scans.find(12)).isNull();
    }

    @Test
    void shouldFindWhatAFurtherPageOfAListingHasAdded() {
        DirectoryScan scan = scans.add(1, 0, new long[] {10}, 1);

        assertThat(scans.add(1, 1, new long[] {11}, 2)).isSameAs(scan);

        assertThat(scans.find(11)).isSameAs(scan);
    }

    @Test
    void shouldForgetTheOldestListingButNotWhatWasListedAgainSince() {
        scans.add(1, 0, new long[] {10, 11}, 2);
        DirectoryScan again = scans.add(1, 0, new long[] {11, 12}, 2);

        scans.add(2, 0, new long[] {20}, 1);

        assertThat(scans.find(10)).isNull();
        assertThat(scans.find(11)).isSameAs(again);
        assertThat(scans.find(12)).isSameAs(again);
        assertThat(scans.find(20)).isNotNull();
    }

    @Test
    void shouldFindNothingOfAListingThatIsLargerThanTheBound() {
        scans.add(1, 0, new long[] {10, 11, 12, 13, 14}, 5);

        assertThat(scans.find(10)).isNull();
        assertThat(scans.find(14)).isNull();
    }
}
