package org.beefs.honeybee.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.common.wire.Open;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Release;
import org.beefs.common.wire.SetXattr;
import org.junit.jupiter.api.Test;

/** What the cache learns and forgets by changes that this desktop asks for. */
class OwnChangesTest extends LeasedDirectoryTest {
    @Test
    void shouldTakeOverItsOwnChanges() {
        answer(list(0), page(true, 5, 6));

        answer(unlink("f5"), changed().build());

        assertAbsent("f5");
        assertThat(cache.node(5)).isNull();
        assertThat(inodes(pageAfter(0, 10))).containsExactly(6L);

        answer(create("new"), changed().setNode(file(7)).build());

        assertThat(find("new")).isEqualTo(7);
        assertAbsent("other");
        assertThat(cachedPage(0, 10))
                .as("the place of the new entry is not known")
                .isNull();
    }

    @Test
    void shouldForgetWhatAChangeHasTouchedAndItsAnswerDoesNotLease() {
        answer(list(0), page(true, 5, 6));
        answer(attributes(DIRECTORY), reply(directory(DIRECTORY, 0755)));

        answer(unlink("f5"), QueenReply.getDefaultInstance());

        assertThat(find("f5")).isNull();
        assertThat(cache.node(5)).isNull();
        assertThat(cache.node(DIRECTORY)).isNull();
        assertThat(find("f6")).isEqualTo(6);
    }

    @Test
    void shouldForgetAttributesThatAreAnsweredWithoutALease() {
        answer(attributes(5), reply(file(5)));

        answer(
                unlink("a name that was not known"),
                changed()
                        .addTouched(file(5).toBuilder().setAttributesLeased(false))
                        .build());

        assertThat(cache.node(5)).isNull();
    }

    @Test
    void shouldForgetAttributesThatAChangeOfXattrsHasTouched() {
        answer(lookup("f5"), reply(file(5)));

        answer(
                QueenRequest.newBuilder()
                        .setSetXattr(SetXattr.newBuilder().setInode(5))
                        .build(),
                QueenReply.getDefaultInstance());

        assertThat(cache.node(5)).isNull();
    }

    @Test
    void shouldKeepWhatItKnowsWhenAChangeFails() {
        answer(list(0), page(true, 5));

        answer(
                unlink("f5"),
                QueenReply.newBuilder()
                        .setFailure(new PosixException(Errno.EPERM, "no").toFailure())
                        .build());

        assertThat(find("f5")).isEqualTo(5);
    }

    @Test
    void shouldMoveEntriesAsItsOwnRenamesDo() {
        answer(list(0), page(true, 5, 6));

        answer(rename("f5", "f6"), changed().addTouched(file(5)).build());

        assertAbsent("f5");
        assertThat(find("f6")).isEqualTo(5);
        assertThat(cache.node(6)).isNull();
    }

    @Test
    void shouldKnowThatARenameBetweenNamesOfOneInodeDoesNothing() {
        answer(lookup("a"), reply(file(5)));
        answer(lookup("b"), reply(file(5)));

        answer(rename("a", "b"), changed().addTouched(file(5)).build());

        assertThat(find("a")).isEqualTo(5);
        assertThat(find("b")).isEqualTo(5);
    }

    @Test
    void shouldKnowNothingOfNamesAfterARenameOfWhichItDidNotKnowBoth() {
        answer(lookup("a"), reply(file(5)));

        answer(rename("a", "b"), changed().addTouched(file(5)).build());

        assertThat(find("a")).isNull();
        assertThat(find("b")).isNull();
    }

    @Test
    void shouldAskForWhatAnUnansweredChangeMayHaveChanged() {
        answer(list(0), page(true, 5, 6));
        Runnable changed = cache.changing(unlink("f5"));

        assertThat(find("f5")).isNull();
        assertThat(cache.node(5)).isNull();
        assertThat(cachedPage(0, 10)).isNull();
        assertThat(find("f6")).isEqualTo(6);

        changed.run();

        assertThat(find("f5")).isEqualTo(5);
    }

    @Test
    void shouldAskForAllAttributesWhileAChangeMayConcernAnyInode() {
        answer(lookup("f6"), reply(file(6)));
        Runnable changed = cache.changing(unlink("unknown"));

        assertThat(cache.node(6)).isNull();

        changed.run();
        assertThat(cache.node(6)).isNotNull();
    }

    @Test
    void shouldTakeOverWhatAReleaseSaysOfAFileThatIsCleanNow() {
        answer(open(5), reply(dirty(5)));
        answer(open(6), reply(dirty(6)));

        answer(release(5), QueenReply.newBuilder().addTouched(file(5)).build());
        answer(release(6), QueenReply.getDefaultInstance());

        pass(Duration.ofSeconds(2));
        assertThat(cache.node(5)).isNotNull();
        assertThat(cache.node(6)).isNull();
    }

    private static QueenRequest open(long inode) {
        return QueenRequest.newBuilder()
                .setOpen(Open.newBuilder().setInode(inode).setWrite(true))
                .build();
    }

    private static QueenRequest release(long inode) {
        return QueenRequest.newBuilder()
                .setRelease(Release.newBuilder().setInode(inode))
                .build();
    }
}
