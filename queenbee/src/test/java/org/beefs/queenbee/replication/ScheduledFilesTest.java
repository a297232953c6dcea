package org.beefs.queenbee.replication;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ScheduledFilesTest {
    private final ScheduledFiles scheduled = new ScheduledFiles();

    @Test
    void shouldGiveEachOnceWhenItsTimeHasCome() {
        scheduled.add(1, 30);
        scheduled.add(2, 10);
        scheduled.add(2, 20);
        assertThat(scheduled.next(9)).isNull();
        assertThat(scheduled.next(30)).isEqualTo(2);
        assertThat(scheduled.next(30)).isEqualTo(1);
        assertThat(scheduled.next(30)).isNull();
    }

    @Test
    void shouldNotLetWaitForLongerThanBefore() {
        scheduled.add(1, 30);
        scheduled.add(1, 10);
        assertThat(scheduled.next(10)).isEqualTo(1);
        assertThat(scheduled.next(30)).isNull();
    }

    @Test
    void shouldTellWhetherTheTimeOfAnyHasCome() {
        scheduled.add(1, 30);
        scheduled.add(2, 10);
        assertThat(scheduled.isAnyDue(9)).isFalse();
        assertThat(scheduled.isAnyDue(10)).isTrue();

        scheduled.remove(2);
        assertThat(scheduled.isAnyDue(29)).isFalse();
        assertThat(scheduled.isAnyDue(30)).isTrue();
    }

    @Test
    void shouldForgetWhatIsRemovedAndKeepTheRestInOrder() {
        int files = 10_000;
        for (int file = 0; file < files; file++) {
            scheduled.add(file, files - file);
        }
        for (int file = 0; file < files; file++) {
            if (file % 100 != 0) {
                scheduled.remove(file);
            }
        }
        assertThat(scheduled.size()).isEqualTo(files / 100);
        assertThat(scheduled.queued()).isLessThan(files / 5);
        for (int file = files - 100; file >= 0; file -= 100) {
            assertThat(scheduled.next(files)).isEqualTo(file);
        }
        assertThat(scheduled.next(files)).isNull();
    }
}
