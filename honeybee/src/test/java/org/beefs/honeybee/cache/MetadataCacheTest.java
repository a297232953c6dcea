package org.beefs.honeybee.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.beefs.common.posix.Errno;
import org.beefs.common.wire.Credentials;
import org.beefs.common.wire.DirectoryPage;
import org.beefs.common.wire.MakeDirectory;
import org.beefs.common.wire.QueenReply;
import org.beefs.common.wire.QueenRequest;
import org.beefs.common.wire.Recall;
import org.junit.jupiter.api.Test;

/** What is answered from the cache, and what is not. */
class MetadataCacheTest extends LeasedDirectoryTest {
    private static final Credentials USER =
            Credentials.newBuilder().setUid(1000).setGid(1000).build();

    @Test
    void shouldKnowWhatWasLeased() {
        answer(lookup("f5"), reply(file(5)));

        assertThat(find("f5")).isEqualTo(5);
        assertThat(cache.node(5)).isNotNull();
        assertThat(find("other")).isNull();
    }

    @Test
    void shouldKeepNothingThatWasNotLeased() {
        answer(lookup("f5"), QueenReply.newBuilder().setNode(file(5)).build());
        answer(
                lookup("f6"),
                reply(file(6).toBuilder().setAttributesLeased(false).build()));

        assertThat(find("f5")).isNull();
        assertThat(cache.node(5)).isNotNull();
        assertThat(find("f6")).isNull();
        assertThat(cache.node(6)).isNull();
    }

    @Test
    void shouldKnowThatANameIsAbsent() {
        answer(lookup("gone"), absent());

        assertAbsent("gone");
        assertThat(find("other")).isNull();
    }

    @Test
    void shouldLoseAttributesToARecall() {
        answer(lookup("f5"), reply(file(5)));

        recall(recallOf(5));

        assertThat(cache.node(5)).isNull();
        assertThat(find("f5")).isNull();
    }

    @Test
    void shouldLoseEverythingToARecallOfEverything() {
        answer(list(0), page(true, 5));

        recall(Recall.newBuilder().setEverything(true).build());

        assertThat(find("f5")).isNull();
        assertThat(find("other")).isNull();
        answer(lookup("f5"), reply(file(5)));
        assertThat(find("f5")).isEqualTo(5);
    }

    @Test
    void shouldKnowThatADirectoryThatWasJustMadeIsEmpty() {
        QueenRequest make = QueenRequest.newBuilder()
                .setMakeDirectory(
                        MakeDirectory.newBuilder().setParent(DIRECTORY).setName(name("d")))
                .build();
        answer(
                make,
                changed()
                        .setNode(directory(9, 0700).toBuilder().setEntriesLeased(true))
                        .build());

        assertThat(find("d")).isEqualTo(9);
        assertFails(Errno.ENOENT, () -> find(9, "x"));
        assertThat(cache.page(9, 0, 10, true))
                .isEqualTo(DirectoryPage.newBuilder()
                        .setParent(DIRECTORY)
                        .setEnd(true)
                        .setNextCookie(1)
                        .build());
    }

    @Test
    void shouldAskAgainAndAgainForADirtyFile() {
        answer(attributes(5), reply(dirty(5)));
        pass(Duration.ofMillis(900));
        assertThat(cache.node(5)).isNotNull();

        pass(Duration.ofMillis(200));

        assertThat(cache.node(5)).isNull();
    }

    @Test
    void shouldCheckPermissionsAsTheQueenBeeDoes() {
        answer(lookup("f5"), reply(file(5)));
        assertThat(cache.lookup(USER, DIRECTORY, name("f5")))
                .as("nothing is known of the directory's mode")
                .isNull();

        answer(attributes(DIRECTORY), reply(directory(DIRECTORY, 0711)));
        assertThat(cache.lookup(USER, DIRECTORY, name("f5"))).isNotNull();
        assertThat(cache.checkAccess(ROOT, DIRECTORY, 4)).isTrue();
        assertFails(Errno.EACCES, () -> cache.checkAccess(USER, DIRECTORY, 4));

        recall(recallOf(DIRECTORY));
        answer(attributes(DIRECTORY), reply(directory(DIRECTORY, 0700)));
        assertFails(Errno.EACCES, () -> cache.lookup(USER, DIRECTORY, name("f5")));
        assertThat(find("f5")).isEqualTo(5);
    }

    @Test
    void shouldLeaveTheKernelsNamesForDirectoriesToTheQueenBee() {
        answer(lookup(".."), reply(directory(3, 0755)));

        assertThat(cache.lookup(ROOT, DIRECTORY, name(".."))).isNull();
    }

    @Test
    void shouldForgetWhatWasNotUsedForLongestWhenItIsFull() {
        for (long inode = 101; inode <= 200; inode++) {
            answer(lookup("f" + inode), reply(file(inode)));
        }
        cache.node(101);

        answer(lookup("f201"), reply(file(201)));

        assertThat(cache.node(101)).isNotNull();
        assertThat(cache.node(102)).isNull();
        assertThat(find("f101")).isNull();
        assertThat(find("f103")).isEqualTo(103);
    }
}
