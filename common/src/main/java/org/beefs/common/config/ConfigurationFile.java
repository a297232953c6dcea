package org.beefs.common.config;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.toml.TomlMapper;

/**
 * Reads a TOML file, and settings from the command line that override it, into a record. {@link RecordBinder} says how.
 */
public final class ConfigurationFile {
    private static final TomlMapper TOML = new TomlMapper();

    private ConfigurationFile() {}

    /**
     * Reads a configuration.
     *
     * @param file null for none: then defaults and overrides make it all
     * @param overrides value by key, the keys of tables joined by dots: {@code honeycomb.capacity}
     * @throws ConfigurationException with one line for people
     */
    public static <R extends Record> R read(@Nullable Path file, Class<R> type, Map<String, String> overrides) {
        ObjectNode tree = file == null ? TOML.createObjectNode() : parse(file);
        overrides.forEach((key, value) -> override(tree, key, value));
        return new RecordBinder(file == null ? "configuration" : file.toString(), overrides.keySet()).bind(tree, type);
    }

    private static ObjectNode parse(Path file) {
        try {
            return (ObjectNode) TOML.readTree(Files.readString(file, StandardCharsets.UTF_8));
        } catch (NoSuchFileException e) {
            throw new ConfigurationException(file + ": there is no such file", e);
        } catch (IOException e) {
            throw new ConfigurationException(file + ": cannot be read: " + e.getMessage(), e);
        } catch (JacksonException e) {
            int line = e.getLocation() == null ? 0 : e.getLocation().getLineNr();
            throw new ConfigurationException(
                    "%s, line %d: this is not TOML: %s".formatted(file, line, e.getOriginalMessage()), e);
        }
    }

    private static void override(ObjectNode tree, String key, String value) {
        ObjectNode table = tree;
        String[] path = key.split("\\.", -1);
        for (int i = 0; i < path.length - 1; i++) {
            JsonNode next = table.get(path[i]);
            table = next instanceof ObjectNode inner ? inner : table.putObject(path[i]);
        }
        table.put(path[path.length - 1], value);
    }
}
