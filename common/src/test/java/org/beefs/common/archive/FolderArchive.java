package org.beefs.common.archive;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/**
 * A small folder as a zip, with the extended attributes of its files: each is an entry of its own, behind its file's,
 * whose name is the file's and the attribute's with a bar between.
 */
public final class FolderArchive {
    /** What RocksDB writes for people, locks, and room on a disk: nothing is lost without them. */
    private static final String LEFT_OUT = "LOG.*|LOCK|OPTIONS-.*|lock|spare";

    private FolderArchive() {}

    public static void pack(Path folder, Path archive) throws IOException {
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(archive));
                Stream<Path> all = Files.walk(folder)) {
            List<Path> kept = all.filter(path -> !path.equals(folder))
                    .filter(path -> !path.getFileName().toString().matches(LEFT_OUT))
                    .sorted()
                    .toList();
            for (Path path : kept) {
                String name = folder.relativize(path).toString();
                if (Files.isDirectory(path)) {
                    add(zip, name + "/", new byte[0]);
                } else {
                    add(zip, name, Files.readAllBytes(path));
                    UserDefinedFileAttributeView attributes = attributes(path);
                    for (String attribute : attributes.list()) {
                        ByteBuffer value = ByteBuffer.allocate(attributes.size(attribute));
                        attributes.read(attribute, value);
                        add(zip, name + "|" + attribute, value.array());
                    }
                }
            }
        }
    }

    /** Into a folder that there is. */
    public static void unpack(InputStream archive, Path folder) throws IOException {
        try (ZipInputStream zip = new ZipInputStream(archive)) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                int bar = entry.getName().indexOf('|');
                if (entry.isDirectory()) {
                    Files.createDirectories(folder.resolve(entry.getName()));
                } else if (bar < 0) {
                    Files.write(folder.resolve(entry.getName()), zip.readAllBytes());
                } else {
                    attributes(folder.resolve(entry.getName().substring(0, bar)))
                            .write(entry.getName().substring(bar + 1), ByteBuffer.wrap(zip.readAllBytes()));
                }
            }
        }
    }

    private static void add(ZipOutputStream zip, String name, byte[] content) throws IOException {
        ZipEntry entry = new ZipEntry(name);
        entry.setTime(0);
        zip.putNextEntry(entry);
        zip.write(content);
        zip.closeEntry();
    }

    private static UserDefinedFileAttributeView attributes(Path file) {
        return Files.getFileAttributeView(file, UserDefinedFileAttributeView.class);
    }
}
