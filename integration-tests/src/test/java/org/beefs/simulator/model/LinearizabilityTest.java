package org.beefs.simulator.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.util.List;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.FileMode;
import org.beefs.common.wire.Attributes;
import org.junit.jupiter.api.Test;

/** The check itself must tell right from wrong. */
class LinearizabilityTest {
    private static final Actor ROOT_USER = Actor.of(0, 0);
    private static final ByteString A = ByteString.copyFromUtf8("a");
    private static final ByteString B = ByteString.copyFromUtf8("b");
    private static final int DIRECTORY = FileMode.DIRECTORY | 0755;

    private final Linearizability check = new Linearizability(ModelState.empty(0777), new Rules(true, false));

    private void begin(int number, Step... steps) {
        check.begin(number, new Operation("operation", List.of(steps), true));
    }

    private static Step mkdir(ByteString name) {
        return Creation.make(ROOT_USER, ModelState.ROOT, name, DIRECTORY, ByteString.EMPTY);
    }

    private static Step lookup(ByteString name) {
        return Inspection.resolve(ROOT_USER, ModelState.ROOT, name);
    }

    private static Answer directory(long inode) {
        return Answer.success(List.of(Attributes.newBuilder()
                .setInode(inode)
                .setMode(DIRECTORY)
                .setLinks(2)
                .build()));
    }

    @Test
    void shouldAcceptEitherOrderOfOverlappingOperations() {
        begin(10, mkdir(A));
        begin(11, lookup(A));

        assertThat(check.answer(11, Answer.failure(Errno.ENOENT))).isTrue();
        assertThat(check.answer(10, directory(7))).isTrue();

        begin(12, mkdir(B));
        begin(13, lookup(B));

        assertThat(check.answer(13, directory(8))).isTrue();
        assertThat(check.answer(12, directory(8))).isTrue();
    }

    @Test
    void shouldRejectAStateOlderThanAnAnsweredChange() {
        begin(10, mkdir(A));
        check.answer(10, directory(7));
        begin(11, lookup(A));

        assertThat(check.answer(11, Answer.failure(Errno.ENOENT))).isFalse();
    }

    private void makeFileAndHoldWriteBack() {
        Step make = Creation.make(ROOT_USER, ModelState.ROOT, A, FileMode.REGULAR | 0644, ByteString.EMPTY);
        begin(10, make);
        check.answer(
                10,
                Answer.success(List.of(Attributes.newBuilder()
                        .setInode(7)
                        .setMode(FileMode.REGULAR | 0644)
                        .setLinks(1)
                        .build())));
        begin(11, Opening.heldWrite(7, 0, B));
        check.answer(11, Answer.success(List.of(Expected.UNSEEN)));
    }

    private boolean mayRead(int number, ByteString content) {
        begin(number, Opening.read(7, 0, 10));
        return check.answer(number, Answer.success(List.of(content)));
    }

    @Test
    void shouldRejectALossOfWhatWasHeldBackWhileNothingGoesWrong() {
        makeFileAndHoldWriteBack();

        assertThat(mayRead(12, ByteString.EMPTY)).isFalse();
    }

    @Test
    void shouldAcceptThatWhatWasHeldBackComesLateOrNotAtAllAfterSomethingWentWrong() {
        makeFileAndHoldWriteBack();
        check.loosen();

        assertThat(mayRead(12, ByteString.EMPTY)).isTrue();
        assertThat(mayRead(13, B)).isTrue();
        assertThat(mayRead(14, ByteString.EMPTY)).isFalse();
    }

    @Test
    void shouldRejectALossOfWhatWasFlushedAfterSomethingWentWrong() {
        makeFileAndHoldWriteBack();
        check.loosen();

        assertThat(check.flushed(List.of(11))).isTrue();
        assertThat(mayRead(12, ByteString.EMPTY)).isFalse();
    }

    @Test
    void shouldRejectAChangeThatWasSeenAndIsGone() {
        begin(10, mkdir(A));
        begin(11, lookup(A));
        check.answer(11, directory(7));
        begin(12, lookup(A));

        assertThat(check.answer(12, Answer.failure(Errno.ENOENT))).isFalse();
    }

    @Test
    void shouldRejectAnOperationThatWasCarriedOutTwice() {
        begin(10, mkdir(A));

        assertThat(check.answer(10, Answer.failure(Errno.EEXIST))).isFalse();
    }

    @Test
    void shouldRejectAnInodeNumberThatIsUsedAgain() {
        begin(10, mkdir(A));
        check.answer(10, directory(7));
        begin(11, Removal.removeDirectory(ROOT_USER, ModelState.ROOT, A));
        check.answer(11, Answer.success(List.of("")));
        begin(12, mkdir(A));

        assertThat(check.answer(12, directory(7))).isFalse();
    }

    @Test
    void shouldKeepBothPossibilitiesOfAnAbandonedOperation() {
        begin(10, mkdir(A));
        check.abandon(10);
        begin(11, lookup(A));
        check.answer(11, Answer.failure(Errno.ENOENT));
        begin(12, lookup(A));

        assertThat(check.answer(12, directory(7))).isTrue();
    }

    @Test
    void shouldKeepBothPossibilitiesWhenAllHasSettled() {
        begin(10, mkdir(A));
        check.abandon(10);
        check.settle();
        begin(11, lookup(A));

        assertThat(check.answer(11, directory(7))).isTrue();
    }

    @Test
    void shouldRejectAnAbandonedOperationThatHappensAfterAllHasSettled() {
        begin(10, mkdir(A));
        check.abandon(10);
        check.settle();
        begin(11, lookup(A));
        assertThat(check.answer(11, Answer.failure(Errno.ENOENT))).isTrue();
        begin(12, lookup(A));

        assertThat(check.answer(12, directory(7))).isFalse();
    }

    @Test
    void shouldLetARemovedDirectoryForbidWhatItHasForbidden() {
        Actor stranger = Actor.of(1000, 1000);
        begin(10, mkdir(A));
        check.answer(10, directory(7));
        begin(11, Removal.removeDirectory(ROOT_USER, ModelState.ROOT, A));
        check.answer(11, Answer.success(List.of("")));
        begin(12, Creation.link(stranger, 1, 7, B));
        assertThat(check.answer(12, Answer.failure(Errno.EACCES))).isTrue();
        begin(13, Removal.removeDirectory(stranger, 7, B));
        assertThat(check.answer(13, Answer.failure(Errno.EACCES))).isTrue();
        begin(14, Removal.removeDirectory(ROOT_USER, 7, B));

        assertThat(check.answer(14, Answer.failure(Errno.EACCES))).isFalse();
    }

    @Test
    void shouldTellWhatWasRightWhileAnotherOperationWasUnderWay() {
        begin(10, mkdir(A));
        begin(11, mkdir(B));
        check.answer(10, directory(7));
        begin(12, lookup(A));
        Answer absent = Answer.failure(Errno.ENOENT);

        assertThat(check.answer(12, absent)).isFalse();
        assertThat(check.wasRight(12, absent, 11)).isTrue();
    }

    @Test
    void shouldNotTakeForRightWhatWasRightBeforeAllThatIsUnderWay() {
        begin(10, mkdir(A));
        check.answer(10, directory(7));
        begin(11, mkdir(B));
        begin(12, lookup(A));

        assertThat(check.wasRight(12, Answer.failure(Errno.ENOENT), 11)).isFalse();
    }

    @Test
    void shouldDismissWhatNobodyHasSeen() {
        begin(10, mkdir(A));
        assertThat(check.dismiss(10)).isTrue();
        begin(11, lookup(A));

        assertThat(check.answer(11, directory(7))).isFalse();
    }

    @Test
    void shouldNotDismissAChangeThatSomebodyHasSeen() {
        begin(10, mkdir(A));
        begin(11, lookup(A));
        check.answer(11, directory(7));

        assertThat(check.dismiss(10)).isFalse();
    }

    @Test
    void shouldLetTheStepsOfAnOperationHappenAtDifferentMoments() {
        begin(10, mkdir(A));
        check.answer(10, directory(7));
        begin(11, lookup(A), Inspection.attributes(7));
        begin(12, Changing.mode(ROOT_USER, 7, 0700));
        Attributes before = Attributes.newBuilder()
                .setInode(7)
                .setMode(DIRECTORY)
                .setLinks(2)
                .build();
        Attributes after = before.toBuilder().setMode(FileMode.DIRECTORY | 0700).build();
        assertThat(check.answer(12, Answer.success(List.of(after)))).isTrue();

        assertThat(check.answer(11, Answer.success(List.of(before, after)))).isTrue();
    }
}
