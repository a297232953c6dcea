package org.beefs.queenbee.console.settings;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Properties;
import org.beefs.common.config.Addresses;
import org.beefs.common.config.Durations;

/** Lists the settings of records of settings, with what {@code settings.properties} says of them. */
public final class SettingsList {
    private final Properties effects = effects();

    /**
     * A record's settings, in their order.
     *
     * @param running what holds now
     * @param next what holds from the next start on, in a record of the same kind
     * @param defaults what holds unless somebody says otherwise, likewise
     */
    public List<Setting> of(String table, Record running, Record next, Record defaults) {
        List<Setting> list = new ArrayList<>();
        for (RecordComponent component : running.getClass().getRecordComponents()) {
            String name = table + "." + key(component.getName());
            String effect = effects.getProperty(name);
            if (effect == null) {
                throw new IllegalStateException("settings.properties does not say what " + name + " does");
            }
            list.add(new Setting(
                    name, text(component, running), text(component, next), text(component, defaults), effect));
        }
        return list;
    }

    /** Names that are described; for tests. */
    public List<String> names() {
        return List.copyOf(effects.stringPropertyNames());
    }

    private static String text(RecordComponent component, Record record) {
        Object value;
        try {
            value = component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("a record's components can be read", e);
        }
        return switch (value) {
            case Duration duration -> Durations.format(duration);
            case InetSocketAddress address -> Addresses.format(address);
            default -> String.valueOf(value);
        };
    }

    private static String key(String component) {
        return component.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    private static Properties effects() {
        Properties properties = new Properties();
        try (InputStream in = Objects.requireNonNull(SettingsList.class.getResourceAsStream("settings.properties"))) {
            properties.load(new InputStreamReader(in, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("settings.properties is in the jar", e);
        }
        return properties;
    }
}
