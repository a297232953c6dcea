package org.beefs.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.beefs.cli.program.ExitCode;
import org.beefs.integration.hive.OrdinaryUser;
import org.beefs.integration.program.Await;
import org.beefs.integration.program.Program;
import org.beefs.integration.program.Requires;
import org.beefs.integration.program.Result;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A user who is not root has a hive of his own, with less, and is told what it lacks. */
@Requires(programs = {"fusermount3", "unshare", "nsenter", "setpriv"})
class WithoutRootIT {
    private static final int SOMEBODY_ELSE = 1001;
    private static final String NOTE = "is mounted without root";

    private OrdinaryUser user = new OrdinaryUser("user_allow_other");
    private Path mount = user.home().resolve("hive");

    @AfterEach
    void clear() {
        user.close();
    }

    @Test
    void shouldBringUpAHiveAndSayWhatItCosts() {
        Result up = up();

        assertThat(up.output()).containsOnlyOnce(NOTE).contains("go through the daemon");
        assertThat(user.complaints("queenbee"))
                .as("but for the console's address, which another hive on this machine may have")
                .allMatch(line -> line.contains("WebServer"));
        assertThat(user.complaints("desktop1"))
                .hasSize(2)
                .anySatisfy(line -> assertThat(line).contains(NOTE))
                .anySatisfy(line -> assertThat(line).contains("cannot stop programs that write a file"));
        assertThat(user.beefs("status").run().output()).contains(mount.toString(), "running");
    }

    @Test
    void shouldWorkAsAnyOtherPlaceOfHis() {
        up();
        user.beefs("mount", elsewhere().toString(), "--desktop", "desktop2").run();

        user.shell("""
                cd "$HOME/hive"
                umask 022
                grep -q '^queen-bee  *connected' .beefs/stats
                test -z "$(ls -A)"
                mkdir folder
                head -c 3000000 /dev/urandom > folder/file
                cp folder/file "$HOME/original"
                ln folder/file link
                ln -s folder/file symbolic
                chmod 640 folder/file
                mv folder/file folder/moved
                printf more >> folder/moved
                printf more >> "$HOME/original"
                flock folder/moved true
                test "$(stat -c '%u %a %h' link)" = "65534 640 2"
                cmp link "$HOME/original"
                cmp "$HOME/elsewhere/folder/moved" "$HOME/original"
                printf there >> "$HOME/elsewhere/link"
                printf there >> "$HOME/original"
                cmp link "$HOME/original"
                dd if=/dev/zero of=folder/moved bs=4096 seek=5 count=1 conv=notrunc,fsync 2> /dev/null
                dd if=/dev/zero of="$HOME/original" bs=4096 seek=5 count=1 conv=notrunc 2> /dev/null
                cmp "$HOME/elsewhere/link" "$HOME/original"
                """).run();
        user.beefs("down").run();
        up();

        user.shell("cd \"$HOME\" && cmp hive/link original && rm -r hive/* && test -z \"$(ls hive)\"")
                .run();
        assertThat(user.complaints("desktop1")).noneMatch(line -> line.contains(" ERROR ") || line.startsWith("\t"));
    }

    @Test
    void shouldShowItToNobodyElse() {
        up();

        assertThat(user.as(0, "ls", mount.toString()).runToAnyEnd().errors()).contains("Permission denied");
        assertThat(user.as(SOMEBODY_ELSE, "ls", mount.toString()).runToAnyEnd().errors())
                .contains("Permission denied");
        assertThat(options(mount)).contains("nosuid").contains("nodev").contains("user_id=" + OrdinaryUser.ID);
    }

    @Test
    void shouldNotPassForAbsentWithThoseWhoMayNotLook() {
        up();

        for (String command : List.of("status", "df", "scrub", "down")) {
            Result refused = user.as(SOMEBODY_ELSE, user.launcher(), command).runToAnyEnd();

            assertThat(refused.exitCode()).as(refused.toString()).isEqualTo(ExitCode.FOLDER);
            assertThat(refused.errors()).contains("permission denied").hasLineCount(1);
        }
        assertThat(user.beefs("status").run().output()).contains("running");
    }

    @Test
    void shouldLetOthersInWhereHeAsksForItAndTheSystemAllowsIt() {
        up();
        Path shared = user.home().resolve("shared");
        user.shell("printf text > \"$HOME/hive/file\"").run();

        user.beefs("mount", "--allow-other", shared.toString()).run();

        assertThat(user.as(0, "cat", shared + "/file").run().output()).isEqualTo("text");
        assertThat(user.as(SOMEBODY_ELSE, "cat", shared + "/file").run().output())
                .isEqualTo("text");
        assertThat(user.as(SOMEBODY_ELSE, "rm", "-f", shared + "/file")
                        .runToAnyEnd()
                        .errors())
                .contains("Permission denied");
        user.role("desktop1").kill();
        up();
        assertThat(user.as(0, "cat", shared + "/file").run().output())
                .as("mounted in the same way again")
                .isEqualTo("text");
    }

    @Test
    void shouldSayWhyOthersAreNotLetIn() {
        user.close();
        user = new OrdinaryUser("# nothing is allowed");
        mount = user.home().resolve("hive");
        up();

        Result refused =
                user.beefs("mount", "--allow-other", elsewhere().toString()).runToAnyEnd();

        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.errors())
                .hasLineCount(1)
                .contains("user_allow_other", "/etc/fuse.conf")
                .doesNotContain("jnr");
    }

    @Test
    void shouldSayWhatIsToBeInstalledWhenNobodyMountsForHim() {
        String hide = "for program in $(which -a fusermount3 fusermount); do mount --bind /dev/null $program; done";
        user.as(0, "/bin/sh", "-euc", hide).run();

        Result refused = user.beefs("up", mount.toString(), "--desktops", "1").runToAnyEnd();

        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.errors())
                .hasLineCount(1)
                .contains("without root: there is no fusermount3", "fuse3")
                .doesNotContain("jnr");
    }

    @Test
    void shouldUnmountWhatHeHasMounted() {
        up();
        Path second = elsewhere();
        user.beefs("mount", second.toString(), "--read-only").run();
        assertThat(user.runs("touch", second + "/file").runToAnyEnd().errors()).contains("Read-only file system");

        try (var holder = user.shell("exec < \"$HOME/hive\"; touch \"$HOME/holds\"; exec sleep 60")
                .start()) {
            Path holds = user.home().resolve("holds");
            Await.until(Duration.ofSeconds(60), "the mount is in use", () -> Files.exists(holds));
            assertThat(user.beefs("umount", mount.toString()).runToAnyEnd().errors())
                    .contains("is in use");
            user.beefs("umount", second.toString()).run();
            assertThat(options(second)).isEmpty();
            user.beefs("umount", "--lazy", mount.toString()).run();
            assertThat(options(mount)).isEmpty();
            assertThat(holder.isRunning()).isTrue();
        }
    }

    @Test
    void shouldClearWhatAKilledDaemonLeft() {
        up();
        user.shell("printf text > \"$HOME/hive/file\"").run();

        user.role("desktop1").kill();
        assertThat(user.runs("ls", mount.toString()).runToAnyEnd().succeeded()).isFalse();
        up();
        assertThat(user.runs("cat", mount + "/file").run().output()).isEqualTo("text");

        user.role("desktop1").stop();
        user.beefs("umount", mount.toString()).run();
        assertThat(options(mount)).isEmpty();
        user.beefs("down").run();
        assertThat(user.role("queenbee").isRunning()).isFalse();
    }

    private Result up() {
        return user.beefs("up", mount.toString(), "--desktops", "2").run();
    }

    private Path elsewhere() {
        return user.home().resolve("elsewhere");
    }

    /** What the kernel's table says of the mount; nothing when there is none. */
    private String options(Path point) {
        Program table = user.as(0, "grep", "-F", " " + point + " ", "/proc/self/mountinfo");
        return table.runToAnyEnd().output();
    }
}
