package org.beefs.common.config;

import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes a record of a table. The key of component {@code heartbeatInterval} is {@code heartbeat-interval}; a component
 * that is itself a record is a table. What the table lacks comes from the record's static method {@code defaults()};
 * without such a method each key is required. An {@code Optional} of a record is a table that may be left out, and is
 * empty then; what a record in its default is good for is the keys that such a table lacks. What a record's constructor
 * rejects with {@link IllegalArgumentException} is told with the name of the table. {@link ValueConverter} lists the
 * types.
 */
final class RecordBinder {
    private final String source;
    private final Set<String> overridden;

    /**
     * @param source where the table is from, for messages to people
     * @param overridden keys whose value is from the command line instead
     */
    RecordBinder(String source, Set<String> overridden) {
        this.source = source;
        this.overridden = overridden;
    }

    <R extends Record> R bind(ObjectNode table, Class<R> type) {
        return bind(table, type, defaults(type), "");
    }

    private <R extends Record> R bind(ObjectNode table, Class<R> type, @Nullable R defaults, String prefix) {
        Map<String, RecordComponent> components = components(type);
        for (String key : table.propertyNames()) {
            if (!components.containsKey(key)) {
                throw problem(
                        prefix + key, "there is no such key; there are " + String.join(", ", components.keySet()));
            }
        }
        @Nullable
        Object[] values = components.entrySet().stream()
                .map(entry -> value(table.get(entry.getKey()), entry.getValue(), defaults, prefix + entry.getKey()))
                .toArray();
        return construct(type, values, prefix);
    }

    private @Nullable Object value(
            @Nullable JsonNode node, RecordComponent component, @Nullable Record defaults, String key) {
        Object standard = defaults == null ? null : Records.read(component, defaults);
        if (component.getType().isRecord() && !ValueConverter.isSingle(component.getType())) {
            return table(node, component.getType(), (Record) standard, key);
        }
        Class<?> optionalTable = optionalTable(component);
        if (optionalTable != null) {
            Record missingKeys = standard instanceof Optional<?> some && some.isPresent() ? (Record) some.get() : null;
            return Optional.ofNullable(node == null ? null : table(node, optionalTable, missingKeys, key));
        }
        if (node == null) {
            if (defaults == null) {
                throw problem(key, "is missing");
            }
            return standard;
        }
        try {
            return ValueConverter.convert(node, component.getGenericType(), overridden.contains(key));
        } catch (IllegalArgumentException e) {
            throw problem(key, e.getMessage());
        }
    }

    private @Nullable Record table(@Nullable JsonNode node, Class<?> type, @Nullable Record standard, String key) {
        if (node == null && standard != null) {
            return standard;
        }
        if (node != null && !(node instanceof ObjectNode)) {
            throw problem(key, "is a table; write [" + key + "]");
        }
        ObjectNode table = node == null ? JsonNodeFactory.instance.objectNode() : (ObjectNode) node;
        return bindTable(table, type.asSubclass(Record.class), standard, key + ".");
    }

    /** The record of a component that is an {@code Optional} of one, or null. */
    private static @Nullable Class<?> optionalTable(RecordComponent component) {
        return component.getGenericType() instanceof ParameterizedType generic
                        && generic.getRawType() == Optional.class
                        && generic.getActualTypeArguments()[0] instanceof Class<?> type
                        && type.isRecord()
                        && !ValueConverter.isSingle(type)
                ? type
                : null;
    }

    private <R extends Record> R bindTable(ObjectNode table, Class<R> type, @Nullable Record standard, String prefix) {
        return bind(table, type, standard == null ? defaults(type) : type.cast(standard), prefix);
    }

    private <R extends Record> R construct(Class<R> type, @Nullable Object[] values, String prefix) {
        try {
            return Records.construct(type, values);
        } catch (IllegalArgumentException rejected) {
            String table = prefix.isEmpty() ? "" : "[" + prefix.substring(0, prefix.length() - 1) + "] ";
            throw new ConfigurationException(sources(prefix), table + rejected.getMessage(), rejected);
        }
    }

    /** Where the values of a table are from: one may be wrong only beside another. */
    private String sources(String prefix) {
        String overriding = overridden.stream()
                .filter(key -> key.startsWith(prefix))
                .sorted()
                .collect(Collectors.joining(", "));
        return overriding.isEmpty() ? source : "%s with %s from the command line".formatted(source, overriding);
    }

    private static Map<String, RecordComponent> components(Class<?> type) {
        return Arrays.stream(type.getRecordComponents())
                .collect(Collectors.toMap(
                        component -> key(component.getName()),
                        component -> component,
                        (first, _) -> first,
                        LinkedHashMap::new));
    }

    private static String key(String component) {
        return component.replaceAll("([a-z0-9])([A-Z])", "$1-$2").toLowerCase(Locale.ROOT);
    }

    private static <R extends Record> @Nullable R defaults(Class<R> type) {
        try {
            Method method = type.getDeclaredMethod("defaults");
            method.setAccessible(true);
            return type.cast(method.invoke(null));
        } catch (NoSuchMethodException e) {
            return null;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(type + " has no usable defaults()", e);
        }
    }

    private ConfigurationException problem(String key, @Nullable String what) {
        String where = overridden.contains(key) ? "command line" : source;
        return new ConfigurationException(where, "key '%s': %s".formatted(key, what), null);
    }
}
