package org.beefs.queenbee.console.settings;

import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.beefs.common.config.ConfigurationException;
import org.beefs.common.config.ConfigurationFile;
import org.beefs.common.config.ConfigurationText;
import org.beefs.common.file.Draft;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The settings that the queen-bee runs with, and her configuration file, which says what holds from her next start on
 * as far as her command line does not. A change that would keep her from starting is refused. Failures are
 * {@link PosixException}s. Thread-safe.
 */
public final class SettingsFile {
    /** It decides where her files are: who changes it moves them too. */
    private static final String STATE = "queenbee.state";

    private static final Logger LOG = LoggerFactory.getLogger(SettingsFile.class);

    private final Path file;
    private final Map<String, String> overrides;
    private final Record running;
    private final Record defaults;
    private final SettingsList list = new SettingsList();

    /**
     * For a record of tables, each of which is a record of settings.
     *
     * @param file need not exist
     * @param overrides what her command line says, by name with the table
     * @param running what she runs with
     * @param defaults another record of the same kind
     */
    public SettingsFile(Path file, Map<String, String> overrides, Record running, Record defaults) {
        this.file = file;
        this.overrides = Map.copyOf(overrides);
        this.running = running;
        this.defaults = defaults;
    }

    /** All settings, in their order. */
    public synchronized List<Setting> list() {
        return settings(next());
    }

    /**
     * Changes one for the next start.
     *
     * @param name with its table
     * @param value null for the default
     */
    public synchronized void set(String name, @Nullable String value) {
        if (list().stream().noneMatch(setting -> setting.name().equals(name))) {
            throw new PosixException(Errno.ENOENT, "there is no setting " + name);
        }
        if (name.equals(STATE)) {
            throw new PosixException(Errno.EPERM, STATE + " is changed in the file only, together with the folder");
        }
        if (overrides.containsKey(name)) {
            throw new PosixException(
                    Errno.EPERM, "the command line that starts the queen-bee says %s: change it there".formatted(name));
        }
        try {
            write(name, value);
        } catch (ConfigurationException e) {
            throw new PosixException(Errno.EINVAL, e.problem());
        } catch (IOException e) {
            throw new PosixException(Errno.EIO, file + " cannot be written: " + e.getMessage());
        }
    }

    private void write(String name, @Nullable String value) throws IOException {
        boolean exists = Files.exists(file);
        String old = exists ? Files.readString(file, StandardCharsets.UTF_8) : "";
        String text = ConfigurationText.with(old, name, value);
        // A link stays, and leads to the new text.
        try (Draft draft = Draft.write(exists ? file.toRealPath() : file, text.getBytes(StandardCharsets.UTF_8))) {
            check(name, value, draft.path());
            if (exists) {
                Files.setPosixFilePermissions(draft.path(), Files.getPosixFilePermissions(file));
            }
            draft.publish();
        }
    }

    /**
     * Fails unless the draft says just what was wanted: people may have written the file in other ways than one
     * expects.
     */
    private void check(String name, @Nullable String value, Path draft) {
        Record wanted = value == null ? null : readWith(name, value);
        String expected = wanted == null
                ? setting(settings(running), name).standard()
                : setting(settings(wanted), name).next();
        Record written = ConfigurationFile.read(draft, running.getClass(), overrides);
        if (!setting(settings(written), name).next().equals(expected)) {
            throw new PosixException(
                    Errno.EINVAL, "%s is written so that only people can change %s".formatted(file, name));
        }
    }

    private static Setting setting(List<Setting> settings, String name) {
        return settings.stream()
                .filter(setting -> setting.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** What holds from the next start on; what holds now if the file cannot be read. */
    private Record next() {
        try {
            return read(overrides);
        } catch (ConfigurationException e) {
            LOG.warn("{}", e.getMessage());
            return running;
        }
    }

    private Record readWith(String name, String value) {
        Map<String, String> all = new HashMap<>(overrides);
        all.put(name, value);
        return read(all);
    }

    private Record read(Map<String, String> over) {
        return ConfigurationFile.read(Files.exists(file) ? file : null, running.getClass(), over);
    }

    private List<Setting> settings(Record next) {
        List<Setting> settings = new ArrayList<>();
        for (RecordComponent table : running.getClass().getRecordComponents()) {
            settings.addAll(
                    list.of(table.getName(), table(table, running), table(table, next), table(table, defaults)));
        }
        return settings;
    }

    private static Record table(RecordComponent table, Record record) {
        try {
            return (Record) table.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("a record's components can be read", e);
        }
    }
}
