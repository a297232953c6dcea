package org.beefs.honeybee.jnr;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.ByteString;
import java.util.Locale;
import java.util.Set;

/**
 * Names that Windows cannot have are shown with the character that is in the way moved to Unicode's private use area,
 * U+F000 above its place, as WinFsp, Cygwin and Samba do: forbidden characters, a dot or a space at the end, and the
 * last letter of a device's name. A name is shown in another way only if it has to be, and case is kept: {@code README}
 * and {@code readme} are two files, as everywhere in the hive, because the mount tells Windows that it distinguishes
 * them.
 */
final class WindowsNames implements NameRules {
    private static final char SHIFT = 0xf000;
    private static final String FORBIDDEN = "<>:\"|?*\\";

    /** Devices in whichever directory, also with anything behind a dot. */
    private static final Set<String> DEVICES = Set.of("con", "prn", "aux", "nul", "conin$", "conout$");

    @Override
    public ByteString toSystem(ByteString name) {
        if (!name.isValidUtf8()) {
            return name;
        }
        String text = name.toStringUtf8();
        int device = deviceLength(text);
        StringBuilder shown = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            boolean moved =
                    isForbidden(character) || (i == text.length() - 1 && isForbiddenAtEnd(text)) || i == device - 1;
            shown.append(moved ? (char) (SHIFT + character) : character);
        }
        return ByteString.copyFrom(shown.toString(), UTF_8);
    }

    @Override
    public ByteString toHive(ByteString shown) {
        if (!shown.isValidUtf8()) {
            return shown;
        }
        StringBuilder name = new StringBuilder();
        for (char character : shown.toStringUtf8().toCharArray()) {
            boolean moved = character > SHIFT && character < SHIFT + 0x80;
            name.append(moved ? (char) (character - SHIFT) : character);
        }
        ByteString meant = ByteString.copyFrom(name.toString(), UTF_8);
        return toSystem(meant).equals(shown) ? meant : shown;
    }

    private static boolean isForbidden(char character) {
        return character < ' ' || FORBIDDEN.indexOf(character) >= 0;
    }

    private static boolean isForbiddenAtEnd(String name) {
        boolean ends = name.endsWith(".") || name.endsWith(" ");
        return ends && !name.equals(".") && !name.equals("..");
    }

    /** How many characters of the name are a device's name; 0 when it is none. */
    private static int deviceLength(String name) {
        int dot = name.indexOf('.');
        String stem = (dot < 0 ? name : name.substring(0, dot)).stripTrailing();
        return isDevice(stem.toLowerCase(Locale.ROOT)) ? stem.length() : 0;
    }

    private static boolean isDevice(String stem) {
        boolean numbered = stem.length() == 4 && (stem.startsWith("com") || stem.startsWith("lpt"));
        return DEVICES.contains(stem) || (numbered && "123456789¹²³".indexOf(stem.charAt(3)) >= 0);
    }
}
