package org.beefs.integration.manual;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.beefs.cli.configuration.DesktopConfig;
import org.beefs.cli.configuration.QueenBeeFile;
import org.beefs.common.config.ByteSize;
import org.beefs.integration.program.Folders;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code docs/CONFIGURATION.md} has each setting of each role, and no others. */
class ConfigurationPageTest {
    private static final Pattern KEY = Pattern.compile("(?m)^\\| `([a-z.-]+)` \\|");

    static List<Arguments> files() {
        return List.of(
                Arguments.of("queenbee.toml", QueenBeeFile.class), Arguments.of("desktop.toml", DesktopConfig.class));
    }

    @ParameterizedTest
    @MethodSource("files")
    void shouldHaveEachSettingAndNoOthers(String file, Class<?> settings) throws IOException {
        List<String> told =
                KEY.matcher(section(file)).results().map(row -> row.group(1)).toList();

        assertThat(told).containsExactlyElementsOf(keys("", settings).toList());
    }

    private static String section(String heading) throws IOException {
        String page = Files.readString(Folders.repository().resolve("docs/CONFIGURATION.md"));
        return Arrays.stream(page.split("(?m)^## ", -1))
                .filter(section -> section.startsWith(heading + "\n"))
                .findFirst()
                .orElseThrow();
    }

    /** A record is a table, but for sizes; a table may be left out. */
    private static Stream<String> keys(String prefix, Class<?> table) {
        return Arrays.stream(table.getRecordComponents()).flatMap(component -> {
            String key = prefix + key(component);
            Class<?> type = type(component);
            return type.isRecord() && type != ByteSize.class ? keys(key + ".", type) : Stream.of(key);
        });
    }

    private static Class<?> type(RecordComponent component) {
        Type type = component.getGenericType();
        Type inner = type instanceof ParameterizedType optional ? optional.getActualTypeArguments()[0] : type;
        return (Class<?>) inner;
    }

    private static String key(RecordComponent component) {
        return component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }
}
