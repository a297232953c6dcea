package org.beefs.cli.option;

import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The constants of an enum as users type them: picocli would speak of them as Java does. */
public abstract class Words<E extends Enum<E>> implements ITypeConverter<E>, Iterable<String> {
    private final List<E> all;

    public Words(Class<E> type) {
        all = List.copyOf(EnumSet.allOf(type));
    }

    @Override
    public final Iterator<String> iterator() {
        return all.stream().map(Words::word).iterator();
    }

    @Override
    public final E convert(String typed) {
        return all.stream()
                .filter(each -> word(each).equalsIgnoreCase(typed))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException("'%s' is none of these: %s".formatted(typed, listed())));
    }

    private String listed() {
        return StreamSupport.stream(spliterator(), false).collect(Collectors.joining(", "));
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
