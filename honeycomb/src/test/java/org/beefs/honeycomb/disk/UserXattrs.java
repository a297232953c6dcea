package org.beefs.honeycomb.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import org.junit.jupiter.api.Assumptions;

/** Skips, loudly, tests whose folder's file system lacks user extended attributes. */
public final class UserXattrs {
    private UserXattrs() {}

    public static void require(Path folder) throws IOException {
        Path file = Files.createTempFile(folder, "xattr", "probe");
        try {
            UserDefinedFileAttributeView view = Files.getFileAttributeView(file, UserDefinedFileAttributeView.class);
            view.write("beefs.probe", ByteBuffer.wrap(new byte[] {1}));
        } catch (IOException e) {
            System.err.println("SKIPPED: the file system of " + folder + " keeps no user extended attributes: " + e);
            Assumptions.abort("no user extended attributes at " + folder);
        } finally {
            Files.delete(file);
        }
    }
}
