package org.beefs.common.config;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.net.InetSocketAddress;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.StringNode;

/**
 * Converts values of a configuration: text, path, yes or no, whole number, size, duration, address, and
 * {@code Optional} or {@code List} of these. The command line has nothing but text.
 */
final class ValueConverter {
    private static final Map<Type, Function<JsonNode, Object>> CONVERTERS = Map.ofEntries(
            Map.entry(String.class, node -> text(node, "text in quotes")),
            Map.entry(Path.class, ValueConverter::path),
            Map.entry(boolean.class, ValueConverter::yesOrNo),
            Map.entry(int.class, node -> Math.toIntExact(number(node, Integer.MIN_VALUE, Integer.MAX_VALUE))),
            Map.entry(long.class, node -> number(node, Long.MIN_VALUE, Long.MAX_VALUE)),
            Map.entry(ByteSize.class, ValueConverter::size),
            Map.entry(Duration.class, node -> Durations.parse(text(node, "a duration, such as \"30s\""))),
            Map.entry(
                    InetSocketAddress.class,
                    node -> Addresses.parse(text(node, "an address, such as \"127.0.0.1:7000\""))));

    /** What is said of a value in quotes where a file has to have none. */
    private static final Map<Type, String> WITHOUT_QUOTES = Map.of(
            boolean.class, "must be true or false, without quotes",
            int.class, "must be a whole number, without quotes",
            long.class, "must be a whole number, without quotes");

    private static final ByteSize LEAST_WITHOUT_UNIT = new ByteSize(1 << 20);
    private static final Pattern WITHOUT_UNIT = Pattern.compile("\\d+(\\.\\d+)?");

    private ValueConverter() {}

    /** Whether a type is a single value, also if it happens to be a record. */
    static boolean isSingle(Class<?> type) {
        return CONVERTERS.containsKey(type);
    }

    /**
     * Throws {@link IllegalArgumentException} with a phrase that follows the key and shows the right form.
     *
     * @param typed whether it is from the command line
     */
    static Object convert(JsonNode node, Type type, boolean typed) {
        if (type instanceof ParameterizedType generic) {
            Type element = generic.getActualTypeArguments()[0];
            return generic.getRawType() == Optional.class
                    ? Optional.of(convert(node, element, typed))
                    : list(node, element, typed);
        }
        String form = WITHOUT_QUOTES.get(type);
        if (form != null && node.isString() && !typed) {
            throw new IllegalArgumentException(form);
        }
        Function<JsonNode, Object> converter = CONVERTERS.get(type);
        if (converter == null) {
            throw new IllegalStateException("a configuration has no values of " + type);
        }
        return converter.apply(node);
    }

    private static List<Object> list(JsonNode node, Type element, boolean typed) {
        List<Object> values = new ArrayList<>();
        if (typed) {
            for (String part : node.stringValue().split(",", -1)) {
                values.add(convert(StringNode.valueOf(part.strip()), element, true));
            }
        } else if (node.isArray()) {
            node.forEach(each -> values.add(convert(each, element, false)));
        } else {
            throw new IllegalArgumentException("must be a list, such as [\"a\", \"b\"]");
        }
        return List.copyOf(values);
    }

    private static Path path(JsonNode node) {
        try {
            return Path.of(text(node, "a path in quotes"));
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("is not a path: " + e.getReason(), e);
        }
    }

    /**
     * Converts a size. Without a unit it is 0 or at least 1 MiB, because whoever writes less has forgotten the unit;
     * and no fraction, which bytes do not have.
     */
    private static Object size(JsonNode node) {
        ByteSize size = node.isIntegralNumber()
                ? new ByteSize(number(node, 0, Long.MAX_VALUE))
                : ByteSize.parse(text(node, "a size, such as \"10G\""));
        String text = node.asString().strip();
        Matcher plain = WITHOUT_UNIT.matcher(text);
        boolean few = size.bytes() > 0 && size.bytes() < LEAST_WITHOUT_UNIT.bytes();
        if (plain.matches() && (few || plain.group(1) != null)) {
            throw new IllegalArgumentException(
                    "%1$s would be bytes; write a unit, for example \"%1$sM\" or \"%1$sG\"".formatted(text));
        }
        return size;
    }

    private static boolean yesOrNo(JsonNode node) {
        String text = node.asString();
        if (!text.equals("true") && !text.equals("false")) {
            throw new IllegalArgumentException("must be true or false");
        }
        return text.equals("true");
    }

    private static long number(JsonNode node, long least, long most) {
        if (node.isIntegralNumber() || node.isString()) {
            try {
                long value = Long.parseLong(node.asString());
                if (value >= least && value <= most) {
                    return value;
                }
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("must be a whole number", e);
            }
        }
        throw new IllegalArgumentException("must be a whole number from %d to %d".formatted(least, most));
    }

    private static String text(JsonNode node, String form) {
        if (!node.isString()) {
            throw new IllegalArgumentException("must be " + form);
        }
        return node.stringValue();
    }
}
