package org.beefs.queenbee.console.api;

import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.beefs.common.posix.Errno;
import org.beefs.common.posix.PosixException;
import org.beefs.queenbee.console.login.Principal;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JacksonException.Reference;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.json.JsonMapper;

/**
 * A request to a route.
 *
 * @param variables of the path, decoded
 */
record Call(Map<String, String> variables, Map<String, String> query, String body, Principal who) {
    String variable(String name) {
        return Objects.requireNonNull(variables.get(name), name);
    }

    @Nullable
    String query(String name) {
        return query.get(name);
    }

    String query(String name, String standard) {
        return query.getOrDefault(name, standard);
    }

    /** A number of the path that is not negative. */
    long numberInPath(String name) {
        return number(name, variable(name));
    }

    /** A number of the query that is not negative. */
    long number(String name, long standard) {
        String text = query.get(name);
        return text == null ? standard : number(name, text);
    }

    private static long number(String name, String text) {
        try {
            long number = Long.parseLong(text);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw new PosixException(
                Errno.EINVAL, "%s is to be a number that is not negative, not '%s'".formatted(name, text));
    }

    /** The body as a record; no body is one without fields. */
    <T extends Record> T body(Class<T> type) {
        T read;
        try {
            read = JsonMapper.shared().readValue(body.isEmpty() ? "{}" : body, type);
        } catch (MismatchedInputException e) {
            String field = e.getPath().stream().map(Reference::getPropertyName).collect(Collectors.joining("."));
            throw new PosixException(
                    Errno.EINVAL,
                    field.isEmpty() ? "the body is to be an object" : field + " in the body has a wrong type");
        } catch (JacksonException e) {
            throw new PosixException(Errno.EINVAL, "the body is not understood: " + e.getOriginalMessage());
        }
        if (read == null) {
            throw new PosixException(Errno.EINVAL, "the body is to be an object");
        }
        return read;
    }

    /** What something is to be, which the body has to say. */
    String newValue() {
        String value = body(Messages.NewValue.class).value();
        if (value == null) {
            throw new PosixException(Errno.EINVAL, "the body lacks value");
        }
        return value;
    }
}
