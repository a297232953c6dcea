package org.beefs.honeybee.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** When all that was leased is forgotten. */
class EndedLeasesTest extends LeasedDirectoryTest {
    @Test
    void shouldNotKeepWhatWasAskedForBeforeItWasDropped() {
        Stamp before = cache.stamp();
        cache.drop();

        cache.answered(before, lookup("f5"), reply(file(5)), view);

        assertThat(find("f5")).isNull();
        assertThat(cache.node(5)).isNull();
    }

    @Test
    void shouldKeepNothingBetweenARegistrationAndItsAnswer() {
        answer(lookup("f5"), reply(file(5)));
        long sent = timers.clock().bootNanos();
        cache.end();
        Stamp during = cache.stamp();

        assertThat(find("f5")).isNull();
        cache.answered(during, lookup("f5"), reply(file(5)), view);
        assertThat(find("f5")).isNull();

        cache.registered(sent, TERMS);
        cache.answered(during, lookup("f5"), reply(file(5)), view);
        assertThat(find("f5")).isNull();
        answer(lookup("f5"), reply(file(5)));
        assertThat(find("f5")).isEqualTo(5);
    }

    @Test
    void shouldForgetEverythingAfterSilence() {
        answer(lookup("f5"), reply(file(5)));
        pass(Duration.ofMillis(3_999));
        assertThat(find("f5")).isEqualTo(5);

        pass(Duration.ofMillis(1));

        assertThat(find("f5")).isNull();
        Stamp late = cache.stamp();
        pass(Duration.ofSeconds(1));
        cache.answered(late, lookup("f5"), reply(file(5)), view);
        assertThat(find("f5")).as("asked for and answered after the silence").isEqualTo(5);
    }

    @Test
    void shouldCountSilenceFromTheSendingOfWhatWasAnswered() {
        Stamp early = cache.stamp();
        pass(Duration.ofSeconds(3));
        cache.answered(early, lookup("f5"), reply(file(5)), view);
        assertThat(find("f5")).isEqualTo(5);

        pass(Duration.ofSeconds(1));

        assertThat(find("f5")).isNull();
    }

    @Test
    void shouldKeepWhatItKnowsAsLongAsTheQueenBeeIsHeard() {
        answer(lookup("f5"), reply(file(5)));

        passHearing(Duration.ofSeconds(60));

        assertThat(find("f5")).isEqualTo(5);
    }

    @Test
    void shouldFindItsLeasesEndedAfterASleep() {
        answer(lookup("f5"), reply(file(5)));
        Stamp before = cache.stamp();

        timers.clock().advance(Duration.ofSeconds(5)); // and no timer runs

        cache.answered(before, lookup("f6"), reply(file(6)), view);
        cache.heard(timers.clock().bootNanos());
        assertThat(find("f5")).isNull();
        assertThat(find("f6")).isNull();
    }

    @Test
    void shouldKeepNothingFromAQueenBeeThatGrantsNoLeases() {
        cache.end();
        cache.registered(
                timers.clock().bootNanos(), TERMS.toBuilder().clearCacheMillis().build());

        answer(lookup("f5"), reply(file(5)));

        assertThat(find("f5")).isNull();
    }
}
