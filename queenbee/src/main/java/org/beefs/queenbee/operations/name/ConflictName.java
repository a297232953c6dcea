package org.beefs.queenbee.operations.name;

import com.google.protobuf.ByteString;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.beefs.common.posix.FileName;
import org.beefs.queenbee.namespace.Directory;

/**
 * {@code NAME.conflict-DESKTOP-YYYYMMDD-HHMMSS}, in UTC, cut to what a name may have and made unique in its directory.
 */
public final class ConflictName {
    private static final int MAX_DESKTOP = 64;
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

    private ConflictName() {}

    public static ByteString in(Directory directory, ByteString name, String desktop, Instant time) {
        String suffix = ".conflict-" + safe(desktop) + "-" + TIME.format(time);
        ByteString candidate = joined(name, suffix);
        for (int number = 2; directory.find(candidate) != null; number++) {
            candidate = joined(name, suffix + "-" + number);
        }
        return candidate;
    }

    private static String safe(String desktop) {
        return desktop.substring(0, Math.min(MAX_DESKTOP, desktop.length())).replaceAll("[^A-Za-z0-9._-]", "_");
    }

    private static ByteString joined(ByteString name, String suffix) {
        ByteString end = ByteString.copyFromUtf8(suffix);
        int length = Math.min(name.size(), FileName.LONGEST - end.size());
        while (length < name.size() && isInsideCharacter(name.byteAt(length))) {
            length--;
        }
        return name.substring(0, length).concat(end);
    }

    /** Whether the byte continues a character of UTF-8; other encodings have no such bytes, or no need of this. */
    private static boolean isInsideCharacter(byte next) {
        return (next & 0xc0) == 0x80;
    }
}
