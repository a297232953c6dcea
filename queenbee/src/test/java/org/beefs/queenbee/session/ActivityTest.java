package org.beefs.queenbee.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.beefs.common.wire.Credentials;
import org.beefs.common.wire.ListDirectory;
import org.beefs.common.wire.Lookup;
import org.beefs.common.wire.QueenRequest;
import org.junit.jupiter.api.Test;

class ActivityTest {
    private final Activity activity = new Activity();

    @Test
    void shouldTellUsersAndOperationsApart() {
        activity.count(lookup(1000));
        activity.count(lookup(1000));
        activity.count(lookup(0));
        activity.count(listing(1000));
        activity.count(
                QueenRequest.newBuilder().setLookup(Lookup.getDefaultInstance()).build());

        assertThat(counted())
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "1000 LOOKUP", 2L, "0 LOOKUP", 1L, "1000 LIST_DIRECTORY", 1L, Activity.DAEMON + " LOOKUP", 1L));
    }

    @Test
    void shouldTakeTheHighestNumberForAUser() {
        activity.count(lookup(-1));

        assertThat(counted()).containsOnlyKeys("4294967295 LOOKUP");
    }

    @Test
    void shouldNotGrowWithoutEnd() {
        for (int round = 0; round < 2; round++) {
            for (int uid = 1; uid <= 1000; uid++) {
                activity.count(lookup(uid));
            }
        }

        assertThat(counted())
                .hasSize(Activity.MOST_USERS + 1)
                .containsEntry("1 LOOKUP", 2L)
                .containsEntry(Activity.OTHERS + " LOOKUP", 2L * (1000 - Activity.MOST_USERS));
    }

    private Map<String, Long> counted() {
        Map<String, Long> counted = new TreeMap<>();
        activity.requests()
                .forEach((uid, requests) ->
                        requests.forEach((operation, number) -> counted.put(uid + " " + operation, number)));
        return counted;
    }

    private static QueenRequest lookup(int uid) {
        return as(uid).setLookup(Lookup.getDefaultInstance()).build();
    }

    private static QueenRequest listing(int uid) {
        return as(uid).setListDirectory(ListDirectory.getDefaultInstance()).build();
    }

    private static QueenRequest.Builder as(int uid) {
        return QueenRequest.newBuilder().setCredentials(Credentials.newBuilder().setUid(uid));
    }
}
