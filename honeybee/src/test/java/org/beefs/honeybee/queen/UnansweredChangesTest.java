package org.beefs.honeybee.queen;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.beefs.common.wire.OpenFile;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.QueenRequest.OperationCase;
import org.beefs.common.wire.Register;
import org.beefs.honeybee.fake.EmptyHoneycomb;
import org.beefs.honeybee.fake.FakeHive;
import org.beefs.honeybee.fake.FakeQueen;
import org.junit.jupiter.api.Test;

/**
 * What becomes of decided changes that the queen-bee has not answered when a connection, a session or a process ends.
 */
class UnansweredChangesTest extends DelegatedHomeTest {
    @Test
    void shouldBringWhatIsUnansweredWithARegistrationAndAskAgainUnderItsNumber() {
        queen.loseAnswers(1);
        hive.get(create("a"));
        hive.pass(WHILE);

        QueenRequest first = queen.requestsOf(OperationCase.CREATE).getFirst();
        Register register = queen.registers.getLast();
        assertThat(register.getDecidedList()).singleElement().satisfies(brought -> {
            assertThat(brought.getSequence()).isEqualTo(first.getSequence());
            assertThat(brought.getDecision()).isEqualTo(first.getDecision());
            assertThat(brought.getCreate()).isEqualTo(first.getCreate());
        });
        assertThat(register.getOpenFilesList()).extracting(OpenFile::getInode).containsExactly(FIRST);
        assertThat(queen.requestsOf(OperationCase.CREATE))
                .hasSize(2)
                .allMatch(sent -> sent.getSequence() == first.getSequence());
        assertThat(hive.session.settled()).isCompleted();
    }

    @Test
    void shouldBringThemInTheirOrder() {
        queen.held = OperationCase.CREATE;
        hive.get(create("a"));
        hive.get(create("b"));
        hive.get(create("c"));

        queen.breakConnections();
        queen.held = OperationCase.OPERATION_NOT_SET;
        hive.pass(WHILE);

        assertThat(queen.registers.getLast().getDecidedList())
                .extracting(brought -> brought.getDecision().getInode())
                .containsExactly(FIRST, FIRST + 1, FIRST + 2);
        assertThat(queen.registers.getLast().getDecidedList())
                .extracting(QueenRequest::getSequence)
                .isSorted()
                .doesNotContain(0L);
        assertThat(hive.session.settled()).isCompleted();
    }

    @Test
    void shouldAskAgainInAnotherSession() {
        queen.held = OperationCase.CREATE;
        hive.get(create("a"));
        queen.breakConnections();
        queen.endSession();
        queen.held = OperationCase.OPERATION_NOT_SET;

        hive.pass(WHILE);

        QueenRequest last = queen.requestsOf(OperationCase.CREATE).getLast();
        assertThat(last.getSession()).isEqualTo(queen.session);
        assertThat(last.getSequence()).isEqualTo(1);
        assertThat(last.getDecision().getInode()).isEqualTo(FIRST);
        assertThat(hive.session.settled()).isCompleted();
    }

    @Test
    void shouldBringWhatIsUnansweredHoweverLongTheQueenBeeWasAway() {
        queen.held = OperationCase.CREATE;
        hive.get(create("a"));
        queen.held = OperationCase.OPERATION_NOT_SET;
        queen.stop();
        hive.pass(Duration.ofHours(3));

        queen.start(FakeQueen.PORT);
        hive.pass(Duration.ofMinutes(1));

        assertThat(queen.registers.getLast().getDecidedList())
                .extracting(brought -> brought.getDecision().getInode())
                .containsExactly(FIRST);
        assertThat(hive.session.settled()).isCompleted();
        assertThat(new DecidedLog(hive.decided, "start").left()).isEmpty();
    }

    @Test
    void shouldKeepWhatAFormerProcessHasLeftForAQueenBeeThatMayChangeThings() {
        queen.held = OperationCase.CREATE;
        hive.get(create("a"));
        FakeHive next = new FakeHive(FakeHive.CONFIG, new EmptyHoneycomb(), null, hive.decided);
        next.queen.isReadOnly = true;

        next.get(next.session.start());
        assertThat(new DecidedLog(hive.decided, "start").left()).hasSize(1);

        next.queen.isReadOnly = false;
        next.queen.breakConnections();
        next.pass(WHILE);
        assertThat(next.queen.registers.getLast().getDecidedList())
                .extracting(brought -> brought.getDecision().getInode())
                .containsExactly(FIRST);
        assertThat(new DecidedLog(hive.decided, "start").left()).isEmpty();
    }
}
