package org.beefs.queenbee.console.model.snapshot;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.queenbee.console.file.JsonFile;
import org.jspecify.annotations.Nullable;

/** In which rooms desktops are, as administrators have said. Kept in {@code rooms.json}. Thread-safe. */
public final class Rooms {
    private static final int MOST = 10_000;
    private static final int LONGEST = 64;

    /** The file: rooms by desktop. */
    record Contents(Map<String, String> rooms) {
        Contents {
            rooms = Map.copyOf(rooms);
        }
    }

    private final JsonFile<Contents> file;
    private volatile Map<String, String> rooms;

    public Rooms(Path folder) {
        file = new JsonFile<>(folder.resolve("rooms.json"), Contents.class);
        rooms = file.readOrMoveAside().map(Contents::rooms).orElse(Map.of());
    }

    /** A desktop's room; empty where nobody has said any. */
    public String of(String desktop) {
        return rooms.getOrDefault(desktop, "");
    }

    /**
     * Somebody says where a desktop is.
     *
     * @param room 1 to 64 characters; null for none
     */
    public synchronized void set(String desktop, @Nullable String room) {
        Map<String, String> changed = new TreeMap<>(rooms);
        if (room == null) {
            changed.remove(desktop);
        } else {
            changed.put(desktop, checked(room));
        }
        if (changed.size() > MOST) {
            throw new PosixException(Errno.ENOSPC, "at most %d desktops have rooms".formatted(MOST));
        }
        file.write(new Contents(changed));
        rooms = Map.copyOf(changed);
    }

    private static String checked(String room) {
        String name = room.strip();
        if (name.isEmpty() || name.length() > LONGEST || name.chars().anyMatch(Character::isISOControl)) {
            throw new PosixException(
                    Errno.EINVAL, "a room has a name of 1 to %d characters, all of them visible".formatted(LONGEST));
        }
        return name;
    }
}
