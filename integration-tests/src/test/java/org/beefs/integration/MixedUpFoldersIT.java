package org.beefs.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.beefs.integration.hive.Hive;
import org.beefs.integration.hive.Hives;
import org.beefs.integration.hive.InHive;
import org.beefs.integration.hive.Role;
import org.beefs.integration.program.Program;
import org.beefs.integration.program.Result;
import org.junit.jupiter.api.Test;

/** Honeycombs' folders are copied, put back from a backup and swapped: that is noticed, said, and does no harm. */
@InHive
class MixedUpFoldersIT {
    @Test
    void shouldRefuseAFolderThatWasPutBackAlsoWhenItsCounterHasCaughtUp(Hives hives) throws IOException {
        Hive hive = hives.create(2);
        Path file = Files.writeString(hive.mount().resolve("file"), "old content");
        hive.down().mustSucceed();
        Role desktop = hive.desktop(1);
        Path backup = hive.scratch().resolve("backup");
        copy(desktop.folder().resolve("honeycomb"), backup);
        hive.up().mustSucceed();
        Files.writeString(file, "new content, which is longer");
        hive.down().mustSucceed();
        Path right = hive.scratch().resolve("right");
        copy(desktop.folder().resolve("honeycomb"), right);

        copy(backup, desktop.folder().resolve("honeycomb"));
        assertRefused(hive, "is a copy of the one that was last started on desktop1");
        assertRefused(hive, "is an old copy that was started on its own: it does not know of start 2, on desktop1");

        copy(right, desktop.folder().resolve("honeycomb"));
        hive.up().mustSucceed();
        assertThat(file).hasContent("new content, which is longer");
        assertThat(hive.beefs("fsck").runToAnyEnd().output()).doesNotContain("/file");
    }

    @Test
    void shouldRefuseTheSecondOfTwoCopiesOfAFolder(Hives hives) throws IOException {
        Hive hive = hives.create(2);
        Path file = Files.writeString(hive.mount().resolve("file"), "content");
        hive.desktop(2).kill();
        Path second = hive.desktop(2).folder().resolve("honeycomb");
        copy(hive.desktop(1).folder().resolve("honeycomb"), second);

        assertRefused(hive, "two daemons must not use one folder or a copy of it");

        assertThat(file).hasContent("content");
        Files.writeString(file, "other content");
        assertThat(file).hasContent("other content");
    }

    @Test
    void shouldKnowSwappedFoldersForWhatTheyAre(Hives hives) throws IOException {
        Hive hive = hives.create(2);
        Path mine = Files.writeString(hive.mount().resolve("mine"), "of the first desktop");
        Files.writeString(hive.mountOn("desktop2").resolve("theirs"), "of the second");
        hive.down().mustSucceed();
        Path first = hive.desktop(1).folder().resolve("honeycomb");
        Path second = hive.desktop(2).folder().resolve("honeycomb");
        Path aside = hive.scratch().resolve("aside");
        Files.move(first, aside);
        Files.move(second, first);
        Files.move(aside, second);

        hive.up().mustSucceed();

        assertThat(mine).hasContent("of the first desktop");
        assertThat(hive.mount().resolve("theirs")).hasContent("of the second");
        Files.writeString(mine, "changed since");
        assertThat(mine).hasContent("changed since");
        assertThat(Files.readString(hive.queenBee().folder().resolve("queenbee.log")))
                .contains("the honeycomb that was on desktop2 is on desktop1 now")
                .contains("the honeycomb that was on desktop1 is on desktop2 now");
    }

    private static void assertRefused(Hive hive, String why) {
        Result up = hive.beefs("up", hive.mount().toString(), "--desktops", "2").runToAnyEnd();
        assertThat(up.succeeded()).isFalse();
        assertThat(up.errors()).contains("the queen-bee refuses this desktop", why);
    }

    /** In the place of what is there. */
    private static void copy(Path folder, Path to) {
        Program.shell("rm -rf \"$TO\" && cp -a \"$FOLDER\" \"$TO\"")
                .with("FOLDER", folder.toString())
                .with("TO", to.toString())
                .run()
                .mustSucceed();
    }
}
