package org.beefs.cli.view;

import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** What scripts read. */
public final class Json {
    private static final ObjectMapper INDENTED =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private Json() {}

    /** A record in one line. */
    public static String line(Object record) {
        return JsonMapper.shared().writeValueAsString(record);
    }

    /** Records, one in each line. */
    public static String lines(List<?> records) {
        return records.stream().map(Json::line).collect(Collectors.joining("\n"));
    }

    /** A record and all that is in it, in lines. */
    public static String of(Object report) {
        return INDENTED.writeValueAsString(report);
    }
}
