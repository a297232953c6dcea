package org.beefs.cli.view;

import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** What scripts read. */
public final class Json {
    private static final ObjectMapper INDENTED =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private Json() {}

    /** A record and all that is in it, in lines. */
    public static String of(Object report) {
        return INDENTED.writeValueAsString(report);
    }
}
