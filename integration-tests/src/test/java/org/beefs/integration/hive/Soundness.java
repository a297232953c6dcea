package org.beefs.integration.hive;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.beefs.integration.program.Await;
import org.beefs.integration.program.Result;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What {@code beefs fsck} says of a hive that nobody uses any more. */
public final class Soundness {
    private static final Duration SOON = Duration.ofMinutes(2);

    /** A hive that has just started has to wait for its desktops first. */
    private static final String TOO_EARLY = "try again in half a minute";

    private Soundness() {}

    /** Fails if fsck finds anything, or has not looked at all replicas and their content. */
    public static void assertSound(Hive hive) {
        Result[] last = new Result[1];
        Await.until(SOON, () -> "fsck can check the hive: " + last[0], () -> {
            last[0] = hive.beefs("fsck", "--content", "--json").runToAnyEnd();
            return !last[0].errors().contains(TOO_EARLY);
        });
        assertThat(last[0].output()).as(last[0].errors()).isNotBlank();
        JsonNode report = JsonMapper.shared().readTree(last[0].output());
        assertThat(report.get("findings")).as(report.toPrettyString()).isEmpty();
        assertThat(report.get("unchecked")).as(report.toPrettyString()).isEmpty();
        assertThat(last[0].exitCode()).as(last[0].toString()).isZero();
    }
}
