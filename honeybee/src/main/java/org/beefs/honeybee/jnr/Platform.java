package org.beefs.honeybee.jnr;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import jnr.constants.platform.OpenFlags;
import org.beefs.common.linux.FileOwner;
import org.beefs.common.linux.SystemClock;
import org.beefs.common.posix.Errno;
import org.beefs.honeybee.mount.Callers;
import org.beefs.honeybee.mount.KernelMount;
import org.beefs.honeybee.mount.MountOptions;
import org.beefs.honeybee.mount.MountPoint;
import org.beefs.honeybee.mount.ProcCallers;
import org.beefs.honeybee.mount.SystemMount;

/**
 * All that differs between operating systems for this driver. Only Linux is tested (docs/decisions/second-driver.md).
 */
enum Platform {
    LINUX,
    MAC,
    WINDOWS;

    /** Longest lifetime of names in the kernel, in seconds: what others rename is seen after that. */
    private static final String ENTRY_LIFETIME = "0.5";

    /** Linux's numbers of the flags of open(2) that jnr-constants knows on each system. */
    private static final List<LinuxFlag> FLAGS = List.of(
            new LinuxFlag(OpenFlags.O_WRONLY, 1),
            new LinuxFlag(OpenFlags.O_RDWR, 2),
            new LinuxFlag(OpenFlags.O_EXCL, 0200),
            new LinuxFlag(OpenFlags.O_TRUNC, 01000),
            new LinuxFlag(OpenFlags.O_APPEND, 02000),
            new LinuxFlag(OpenFlags.O_SYNC, 04010000));

    /** Commands of fcntl(2) and types of its locks. */
    record LockNumbers(int get, int setAndWait, int shared, int exclusive, int unlocked) {}

    private record LinuxFlag(OpenFlags here, int onLinux) {}

    /** The platform of this process. */
    static Platform current() {
        return of(System.getProperty("os.name", ""));
    }

    static Platform of(String system) {
        String name = system.toLowerCase(Locale.ROOT);
        if (name.startsWith("windows")) {
            return WINDOWS;
        }
        return name.startsWith("mac") ? MAC : LINUX;
    }

    /** Names to look for libfuse 2 by, the best first. */
    List<String> libraries() {
        return switch (this) {
            case LINUX -> List.of("libfuse.so.2");
            case MAC -> List.of("fuse", "osxfuse");
            case WINDOWS -> List.of("winfsp-x64", "winfsp-a64");
        };
    }

    /** Whether libfuse's own threads serve a mount: its session is not offered to others. */
    boolean servesByItself() {
        return this == WINDOWS;
    }

    /** The numbers that fcntl(2) has for locks here. WinFsp passes no locks on: it keeps them itself. */
    LockNumbers locks() {
        return this == MAC ? new LockNumbers(7, 9, 1, 3, 2) : new LockNumbers(5, 7, 0, 1, 2);
    }

    NameRules names() {
        return this == WINDOWS ? new WindowsNames() : NameRules.POSIX;
    }

    Callers callers() {
        return this == LINUX ? new ProcCallers(new SystemClock()) : new UnknownCallers();
    }

    /** The number that programs here know an error by. */
    int errno(Errno errno) {
        if (this == LINUX) {
            return errno.number();
        }
        var here = jnr.constants.platform.Errno.valueOf(errno.name());
        return here.defined() ? here.intValue() : jnr.constants.platform.Errno.EIO.intValue();
    }

    /** Flags of open(2) by Linux's numbers. */
    int toLinuxFlags(int flags) {
        if (this == LINUX) {
            return flags;
        }
        int translated = 0;
        for (LinuxFlag flag : FLAGS) {
            int value = flag.here().defined() ? flag.here().intValue() : 0;
            translated |= value != 0 && (flags & value) == value ? flag.onLinux() : 0;
        }
        return translated;
    }

    /**
     * The place to mount at, freed of what a dead daemon left there.
     *
     * @throws IOException with a sentence for the user
     */
    Path prepare(Path target) throws IOException {
        return switch (this) {
            case LINUX -> MountPoint.prepare(target);
            case MAC -> target.toRealPath();
            // A drive's letter, or a folder that WinFsp makes itself.
            case WINDOWS -> target.toAbsolutePath();
        };
    }

    /** The mount that was made there just now. */
    SystemMount mounted(Path point, Runnable exit) throws IOException {
        return this == LINUX ? KernelMount.at(point, isRoot()) : new OtherMount(point, this == MAC, exit);
    }

    /** What the user has to do without because he is not root. */
    Optional<String> limits(SystemMount mount, MountOptions options) {
        return mount instanceof KernelMount kernel ? kernel.limits(options) : Optional.empty();
    }

    /** Options of libfuse, as after -o. */
    String options(MountOptions options) throws IOException {
        List<String> words = new ArrayList<>(List.of(
                "fsname=beefs",
                "use_ino",
                "entry_timeout=" + ENTRY_LIFETIME,
                "negative_timeout=0",
                // A file with several names is several inodes for the kernel here; only this keeps them the same.
                "attr_timeout=0"));
        if (options.readOnly()) {
            words.add("ro");
        }
        if (this == WINDOWS) {
            words.add("FileSystemName=BeeFS");
            return String.join(",", words);
        }
        words.addAll(List.of("direct_io", "default_permissions"));
        if (this == LINUX) {
            words.addAll(List.of("subtype=beefs", "big_writes", "atomic_o_trunc"));
        }
        if (isRoot()) {
            words.addAll(
                    List.of("allow_other", options.nosuid() ? "nosuid" : "suid", options.nosuid() ? "nodev" : "dev"));
        } else if (options.allowOther()) {
            words.add("allow_other");
        }
        return String.join(",", words);
    }

    private boolean isRoot() throws IOException {
        return Files.exists(Path.of("/proc/self"))
                ? FileOwner.ofThisProcess() == FileOwner.ROOT
                : "root".equals(System.getProperty("user.name"));
    }
}
