package org.beefs.honeycomb.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.beefs.honeycomb.server.SequencedAnswers.Admission;
import org.junit.jupiter.api.Test;

class SequencedAnswersTest {
    private final SequencedAnswers<String> answers = new SequencedAnswers<>(4);
    private final List<String> heard = new ArrayList<>();

    @Test
    void shouldGiveARepeatedRequestItsFirstAnswer() {
        assertThat(answers.begin(1, heard::add)).isEqualTo(Admission.NEW);
        answers.answer(1, "done");
        assertThat(answers.begin(1, heard::add)).isEqualTo(Admission.ANSWERED);

        assertThat(heard).containsExactly("done", "done");
    }

    @Test
    void shouldLetARetryWaitForTheFirst() {
        answers.begin(1, reply -> heard.add("first " + reply));
        assertThat(answers.begin(1, reply -> heard.add("retry " + reply))).isEqualTo(Admission.IN_PROGRESS);
        answers.answer(1, "done");

        assertThat(heard).containsExactly("first done", "retry done");
    }

    @Test
    void shouldKeepTheNewestOfTooManyRetries() {
        for (int i = 0; i < SequencedAnswers.WAITERS + 2; i++) {
            int number = i;
            answers.begin(1, _ -> heard.add("" + number));
        }
        answers.answer(1, "done");

        assertThat(heard).containsExactly("2", "3", "4", "5");
    }

    @Test
    void shouldForgetWhatIsAcknowledgedAndNeverBeginItAgain() {
        answers.begin(1, heard::add);
        answers.answer(1, "done");
        answers.acknowledge(3);
        answers.acknowledge(2);

        assertThat(answers.begin(1, heard::add)).isEqualTo(Admission.FORGOTTEN);
        assertThat(answers.begin(2, heard::add)).isEqualTo(Admission.FORGOTTEN);
        assertThat(answers.begin(3, heard::add)).isEqualTo(Admission.NEW);
    }

    @Test
    void shouldAnswerButNotKeepWhatWasAcknowledgedWhileUnderWay() {
        answers.begin(1, heard::add);
        answers.acknowledge(2);
        answers.answer(1, "done");

        assertThat(answers.begin(1, heard::add)).isEqualTo(Admission.FORGOTTEN);
        assertThat(heard).containsExactly("done");
    }

    @Test
    void shouldAlwaysHaveAPlaceForTheOldestUnacknowledged() {
        for (long sequence = 2; sequence <= 4; sequence++) {
            assertThat(answers.begin(sequence, heard::add)).isEqualTo(Admission.NEW);
        }

        assertThat(answers.begin(5, heard::add)).isEqualTo(Admission.FULL);
        assertThat(answers.begin(1, heard::add)).isEqualTo(Admission.NEW);
        answers.acknowledge(2);
        assertThat(answers.begin(5, heard::add)).isEqualTo(Admission.NEW);
    }

    @Test
    void shouldBeginAnAbandonedRequestAnew() {
        answers.begin(1, heard::add);
        answers.abandon(1, "not now");

        assertThat(heard).containsExactly("not now");
        assertThat(answers.begin(1, heard::add)).isEqualTo(Admission.NEW);
    }
}
