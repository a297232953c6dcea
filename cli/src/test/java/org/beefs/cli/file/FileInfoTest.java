package org.beefs.cli.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.beefs.cli.file.FileInfo.Place;
import org.junit.jupiter.api.Test;

/** What people are told of a file's replicas. */
class FileInfoTest {
    @Test
    void shouldTellAMissingReplicaFromARottenOne() {
        String missing = render(primary("missing"), new Place("desk2", "secondary", 5, 1, "current", "asleep"));
        String rotten = render(primary("rotten"));

        assertThat(missing)
                .contains("desk1    primary    missing", "It cannot be read until one of these is back: desk2")
                .contains("On desk1 the replica is not on the disk any more.")
                .doesNotContain("not what was written");
        assertThat(rotten)
                .contains("It cannot be read: no desktop has its newest content")
                .contains("The content on desk1 is not what was written there.")
                .doesNotContain("not on the disk");
    }

    private static Place primary(String state) {
        return new Place("desk1", "primary", 5, 1, state, "awake");
    }

    private static String render(Place... places) {
        return new FileInfo("/f", 2, "30s", 1, List.of(places)).render();
    }
}
