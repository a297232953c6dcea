package org.beefs.queenbee.replication;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WaitingTest {
    private final Waiting waiting = new Waiting();

    @Test
    void shouldGiveEachOnceWhenItsTimeHasCome() {
        waiting.add(1, 30);
        waiting.add(2, 10);
        waiting.add(2, 20);
        assertThat(waiting.next(9)).isNull();
        assertThat(waiting.next(30)).isEqualTo(2);
        assertThat(waiting.next(30)).isEqualTo(1);
        assertThat(waiting.next(30)).isNull();
    }

    @Test
    void shouldNotLetWaitForLongerThanBefore() {
        waiting.add(1, 30);
        waiting.add(1, 10);
        assertThat(waiting.next(10)).isEqualTo(1);
        assertThat(waiting.next(30)).isNull();
    }

    @Test
    void shouldTellWhetherTheTimeOfAnyHasCome() {
        waiting.add(1, 30);
        waiting.add(2, 10);
        assertThat(waiting.isAnyDue(9)).isFalse();
        assertThat(waiting.isAnyDue(10)).isTrue();

        waiting.remove(2);
        assertThat(waiting.isAnyDue(29)).isFalse();
        assertThat(waiting.isAnyDue(30)).isTrue();
    }

    @Test
    void shouldForgetWhatIsRemovedAndKeepTheRestInOrder() {
        int files = 10_000;
        for (int file = 0; file < files; file++) {
            waiting.add(file, files - file);
        }
        for (int file = 0; file < files; file++) {
            if (file % 100 != 0) {
                waiting.remove(file);
            }
        }
        assertThat(waiting.size()).isEqualTo(files / 100);
        assertThat(waiting.queued()).isLessThan(files / 5);
        for (int file = files - 100; file >= 0; file -= 100) {
            assertThat(waiting.next(files)).isEqualTo(file);
        }
        assertThat(waiting.next(files)).isNull();
    }
}
