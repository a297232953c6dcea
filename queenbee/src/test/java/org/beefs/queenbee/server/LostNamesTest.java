package org.beefs.queenbee.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.beefs.common.log.LogLines;
import org.beefs.common.wire.Node;
import org.beefs.queenbee.testing.Ask;
import org.junit.jupiter.api.Test;

/** Lost removals and renamings concern what they concerned at first, and nothing else that has its name. */
class LostNamesTest extends LosingPowerTest {
    @Test
    void shouldNotReplaceWhatWasElsewhereWhenItWasRenamedAtFirst() {
        Node former = moveAwayUnknown();
        Node made = change(two, Ask.mknod(ROOT, "tmp", 0100644)).getNode();
        change(two, Ask.rename(ROOT, "tmp", ROOT, "file"));

        losePower();
        try (LogLines log = new LogLines(LostChangeRunner.class.getName())) {
            come(one);
            come(two);

            assertThat(log.warnings())
                    .contains("RENAME of two cannot be made again: file is inode %d now, and was free"
                            .formatted(inode(former)));
        }
        assertThat(hive.names(ROOT)).containsEntry("file", inode(former)).containsEntry("tmp", inode(made));
    }

    @Test
    void shouldNotRemoveWhatHasTakenThePlaceOfALostFile() {
        Node former = moveAwayUnknown();
        Node made = change(two, Ask.mknod(ROOT, "file", 0100644)).getNode();
        change(two, Ask.unlink(ROOT, "file"));

        losePower();
        try (LogLines log = new LogLines(LostChangeRunner.class.getName())) {
            come(one);
            come(two);

            assertThat(log.warnings())
                    .contains("UNLINK of two cannot be made again: file is inode %d now, and was %d"
                            .formatted(inode(former), inode(made)));
        }
        assertThat(hive.names(ROOT)).containsEntry("file", inode(former));
    }

    @Test
    void shouldNotRenameOrExchangeWhatHasTakenThePlaceOfALostFile() {
        Node former = moveAwayUnknown();
        Node other = change(one, Ask.mknod(ROOT, "other", 0100644)).getNode();
        change(two, Ask.mknod(ROOT, "file", 0100644));
        change(two, Ask.exchange(ROOT, "other", ROOT, "file"));
        change(two, Ask.rename(ROOT, "file", ROOT, "moved"));
        change(two, Ask.rename(ROOT, "other", ROOT, "moved too"));

        losePower();
        come(one);
        come(two);

        assertThat(hive.names(ROOT)).containsOnlyKeys("file", "other");
        assertThat(hive.names(ROOT)).containsEntry("file", inode(former)).containsEntry("other", inode(other));
    }

    @Test
    void shouldNotRemoveADirectoryThatHasTakenThePlaceOfALostOne() {
        Node former = one.ok(Ask.mkdir(ROOT, "folder", 0755)).getNode();
        flush();
        one.ok(Ask.rename(ROOT, "folder", ROOT, "elsewhere"));
        change(two, Ask.mkdir(ROOT, "folder", 0755));
        change(two, Ask.rmdir(ROOT, "folder"));

        losePower();
        come(one);
        come(two);

        assertThat(lookUp(ROOT, "folder").getInode()).isEqualTo(inode(former));
    }

    @Test
    void shouldRemoveAndReplaceAgainWhatWasThereAtFirst() {
        one.ok(Ask.mknod(ROOT, "removed", 0100644));
        one.ok(Ask.mknod(ROOT, "replaced", 0100644));
        Node left = one.ok(Ask.mknod(ROOT, "left", 0100644)).getNode();
        Node right = one.ok(Ask.mknod(ROOT, "right", 0100644)).getNode();
        flush();
        change(one, Ask.unlink(ROOT, "removed"));
        Node made = change(two, Ask.mknod(ROOT, "tmp", 0100644)).getNode();
        change(two, Ask.rename(ROOT, "tmp", ROOT, "replaced"));
        change(two, Ask.exchange(ROOT, "left", ROOT, "right"));

        losePower();
        come(one);
        come(two);

        assertThat(hive.names(ROOT))
                .containsOnly(
                        Map.entry("replaced", inode(made)),
                        Map.entry("left", inode(right)),
                        Map.entry("right", inode(left)));
    }

    /** Another name that it had then may be lost. */
    @Test
    void shouldTakeNoLastNameOfWhatHadOthersAtFirst() {
        Node removed = one.ok(Ask.mknod(ROOT, "removed", 0100644)).getNode();
        Node replaced = one.ok(Ask.mknod(ROOT, "replaced", 0100644)).getNode();
        flush();
        one.ok(Ask.link(inode(removed), ROOT, "other name of removed")); // nobody brings it
        one.ok(Ask.link(inode(replaced), ROOT, "other name of replaced"));
        change(two, Ask.unlink(ROOT, "removed"));
        change(two, Ask.mknod(ROOT, "tmp", 0100644));
        change(two, Ask.rename(ROOT, "tmp", ROOT, "replaced"));

        losePower();
        try (LogLines log = new LogLines(LostChangeRunner.class.getName())) {
            come(one);
            come(two);

            assertThat(log.warnings())
                    .contains("UNLINK of two cannot be made again: removed is the last name of inode %d now"
                            .formatted(inode(removed)));
        }
        assertThat(hive.names(ROOT))
                .containsEntry("removed", inode(removed))
                .containsEntry("replaced", inode(replaced));
    }

    @Test
    void shouldTakeANameAgainOfWhatStillHasOthers() {
        Node file = one.ok(Ask.mknod(ROOT, "file", 0100644)).getNode();
        one.ok(Ask.link(inode(file), ROOT, "other name"));
        flush();
        change(two, Ask.unlink(ROOT, "file"));

        losePower();
        come(one);
        come(two);

        assertThat(hive.names(ROOT)).containsOnlyKeys("other name");
    }

    /** A renaming replaces nothing less than at first if what it replaced is lost. */
    @Test
    void shouldRenameAgainWhenWhatItReplacedIsLost() {
        one.ok(Ask.mknod(ROOT, "file", 0100644)); // nobody brings it
        Node made = change(two, Ask.mknod(ROOT, "tmp", 0100644)).getNode();
        change(two, Ask.rename(ROOT, "tmp", ROOT, "file"));

        losePower();
        come(one);
        come(two);

        assertThat(hive.names(ROOT)).containsOnly(Map.entry("file", inode(made)));
    }

    /** An older one: what has the name may be another file. */
    @Test
    void shouldRemoveNothingForWhoDoesNotSayWhatHeRemoved() {
        Node file = one.ok(Ask.mknod(ROOT, "file", 0100644)).getNode();
        flush();
        change(one, Ask.unlink(ROOT, "file"));
        known.replaceAll(answered -> new Known(
                answered.by(), answered.change().toBuilder().clearNamed().build()));

        losePower();
        come(one);
        come(two);

        assertThat(lookUp(ROOT, "file").getInode()).isEqualTo(inode(file));
    }

    /** A file that is on disk, and was moved by a change that nobody brings. */
    private Node moveAwayUnknown() {
        Node former = one.ok(Ask.mknod(ROOT, "file", 0100644)).getNode();
        flush();
        one.ok(Ask.rename(ROOT, "file", ROOT, "elsewhere"));
        return former;
    }
}
