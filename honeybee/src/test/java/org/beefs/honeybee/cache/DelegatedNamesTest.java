package org.beefs.honeybee.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.beefs.common.posix.FileMode;
import org.beefs.common.wire.Attributes;
import org.beefs.common.wire.Node;
import org.beefs.common.wire.Timestamp;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Files that were there before, of which only the names may be changed before the queen-bee is asked. */
class DelegatedNamesTest extends DelegatedCacheTest {
    private static final long OLD = 5;
    private static final long OTHER = 6;
    private static final Timestamp FORMER =
            Timestamp.newBuilder().setSeconds(77).build();

    @BeforeEach
    void removeAFile() {
        answer(lookup(HOME, "old"), reply(known(OLD)));
        answer(lookup(HOME, "other"), reply(known(OTHER)));
        answer(lookup(HOME, "gone"), reply(file(7)));
        answer(
                unlink(HOME, "gone"),
                changed().addAllDelegatedNames(List.of(OLD)).build());
        answer(attributes(HOME), reply(directory(HOME, 0755)));
    }

    @Test
    void shouldBeRemoved() {
        Decided removed = decided(unlink(HOME, "old"));

        assertThat(removed.request().getDecision().getInode()).isEqualTo(OLD);
        assertThat(removed.request().getDecision().getFormerCtime()).isEqualTo(FORMER);
        assertThat(find("old")).isZero();
    }

    @Test
    void shouldBeRenamedAndReplaced() {
        decided(create("f"));

        decided(rename("old", "new"));
        Decided replaced = decided(rename("f", "new"));

        assertThat(replaced.request().getDecision().getReplaced()).isEqualTo(OLD);
        assertThat(find("new")).isEqualTo(FIRST);
    }

    @Test
    void shouldKeepTheirAttributesUntilTheQueenBeeIsAsked() {
        asked(chmod(OLD, 0600), chown(OLD, 1, 1), times(OLD));
    }

    @Test
    void shouldNotBeOthers() {
        asked(unlink(HOME, "other"), rename("other", "new"));
    }

    @Test
    void shouldNotBeRemovedWhenTheyWereRecalled() {
        recall(recallOf(OLD));

        asked(unlink(HOME, "old"));
    }

    @Test
    void shouldNotBeRemovedWhenTheyHaveAnotherName() {
        answer(link(OLD, "another"), changed().setNode(known(OLD)).build());

        asked(unlink(HOME, "old"));
    }

    private static Node known(long inode) {
        return file(inode).toBuilder()
                .setAttributes(Attributes.newBuilder()
                        .setInode(inode)
                        .setMode(FileMode.REGULAR | 0644)
                        .setCtime(FORMER))
                .build();
    }
}
