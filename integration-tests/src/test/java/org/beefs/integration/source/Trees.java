package org.beefs.integration.source;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.beefs.common.posix.FileMode;
import org.beefs.integration.linux.FileStatus;
import org.beefs.integration.linux.Posix;

/** Compares trees of files. */
public final class Trees {
    private Trees() {}

    /** One line for each difference in names, types, modes, owners, times, link targets or bytes. */
    public static List<String> differences(Path expected, Path found) {
        List<String> differences = new ArrayList<>();
        Set<Path> names = names(expected);
        Set<Path> foundNames = names(found);
        Set<Path> all = new TreeSet<>(names);
        all.addAll(foundNames);
        for (Path name : all) {
            if (!names.contains(name)) {
                differences.add(name + " should not be there");
            } else if (!foundNames.contains(name)) {
                differences.add(name + " is missing");
            } else {
                compare(name, expected.resolve(name), found.resolve(name), differences);
            }
        }
        return differences;
    }

    /** How many files, folders and links there are, with the top. */
    public static int count(Path top) {
        return names(top).size();
    }

    private static void compare(Path name, Path expected, Path found, List<String> differences) {
        FileStatus one = Posix.lstat(expected);
        FileStatus other = Posix.lstat(found);
        expect(name + " mode", Integer.toOctalString(one.mode()), Integer.toOctalString(other.mode()), differences);
        expect(name + " owner", one.owner(), other.owner(), differences);
        expect(name + " group", one.group(), other.group(), differences);
        expect(name + " links", one.links(), other.links(), differences);
        expect(name + " mtime", one.modified(), other.modified(), differences);
        if (one.type() == FileMode.SYMBOLIC_LINK) {
            expect(name + " target", Posix.readlink(expected), Posix.readlink(found), differences);
        } else if (one.type() == FileMode.REGULAR) {
            expect(name + " size", one.size(), other.size(), differences);
            expect(name + " first differing byte", -1L, mismatch(expected, found), differences);
        }
    }

    private static void expect(String what, Object expected, Object found, List<String> differences) {
        if (!expected.equals(found)) {
            differences.add(what + ": expected " + expected + ", found " + found);
        }
    }

    private static long mismatch(Path expected, Path found) {
        try {
            return Files.mismatch(expected, found);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Set<Path> names(Path top) {
        try (Stream<Path> all = Files.walk(top)) {
            return all.map(top::relativize).collect(Collectors.toCollection(TreeSet::new));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
