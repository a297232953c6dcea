package org.beefs.queenbee.console.api;

import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.RecordComponent;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.beefs.queenbee.console.login.Role;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Describes routes in the form of OpenAPI 3.1, with the records that they take and answer. */
final class OpenApi {
    private static final String JSON = "application/json";

    private final List<Route> routes;
    private final Deque<Class<?>> wanted = new ArrayDeque<>();
    private final Map<String, ObjectNode> schemas = new TreeMap<>();

    OpenApi(List<Route> routes) {
        this.routes = routes;
    }

    ObjectNode document() {
        ObjectNode document = node();
        document.put("openapi", "3.1.0");
        document.putObject("info")
                .put("title", "BeeFS")
                .put("version", "1")
                .put("description", "What the queen-bee's console shows and does. Fields are added, never renamed.");
        document.putArray("servers").addObject().put("url", Api.ROOT);
        ObjectNode paths = document.putObject("paths");
        routes.forEach(route -> describe(route, paths));
        ObjectNode components = document.putObject("components");
        components
                .putObject("securitySchemes")
                .putObject("token")
                .put("type", "http")
                .put("scheme", "bearer");
        document.putArray("security").addObject().putArray("token");
        describe(Problem.class);
        while (!wanted.isEmpty()) {
            describe(wanted.remove());
        }
        ObjectNode all = components.putObject("schemas");
        schemas.forEach(all::set);
        return document;
    }

    private void describe(Route route, ObjectNode paths) {
        ObjectNode path = paths.get(route.path()) instanceof ObjectNode known ? known : paths.putObject(route.path());
        ObjectNode operation = path.putObject(route.method().toLowerCase(Locale.ROOT));
        operation.put("summary", route.summary());
        if (route.role() == Role.ADMINISTRATOR) {
            operation.put("description", "For administrators.");
        }
        ArrayNode parameters = operation.putArray("parameters");
        for (String segment : route.path().split("/", -1)) {
            if (segment.startsWith("{")) {
                parameter(parameters, segment.substring(1, segment.length() - 1), "path", true, "string");
            }
        }
        route.parameters()
                .forEach(parameter -> parameter(
                                parameters, parameter.name(), "query", parameter.required(), parameter.type())
                        .put("description", parameter.summary()));
        if (route.body() != null) {
            ObjectNode body = operation.putObject("requestBody").put("required", true);
            content(body, JSON, route.body());
        }
        ObjectNode responses = operation.putObject("responses");
        content(responses.putObject(Integer.toString(route.status())).put("description", "Done"), JSON, route.reply());
        content(responses.putObject("default").put("description", "A problem"), Problem.MEDIA_TYPE, Problem.class);
    }

    private static ObjectNode parameter(ArrayNode parameters, String name, String in, boolean required, String type) {
        ObjectNode parameter =
                parameters.addObject().put("name", name).put("in", in).put("required", required);
        parameter.putObject("schema").put("type", type);
        return parameter;
    }

    private void content(ObjectNode holder, String mediaType, Class<?> type) {
        holder.putObject("content").putObject(mediaType).set("schema", reference(type));
    }

    private ObjectNode reference(Class<?> type) {
        wanted.add(type);
        return node().put("$ref", "#/components/schemas/" + name(type));
    }

    private void describe(Class<?> type) {
        if (schemas.containsKey(name(type))) {
            return;
        }
        ObjectNode schema = node().put("type", "object");
        schemas.put(name(type), schema);
        ArrayNode required = schema.putArray("required");
        ObjectNode properties = schema.putObject("properties");
        for (RecordComponent component : type.getRecordComponents()) {
            required.add(component.getName());
            properties.set(component.getName(), schema(component.getAnnotatedType()));
        }
    }

    private ObjectNode schema(AnnotatedType annotated) {
        ObjectNode schema = plainSchema(annotated);
        if (!annotated.isAnnotationPresent(Nullable.class)) {
            return schema;
        }
        ObjectNode nullable = node();
        nullable.putArray("anyOf").add(schema).addObject().put("type", "null");
        return nullable;
    }

    private ObjectNode plainSchema(AnnotatedType annotated) {
        if (annotated instanceof AnnotatedParameterizedType generic) {
            AnnotatedType[] arguments = generic.getAnnotatedActualTypeArguments();
            return arguments.length == 1
                    ? node().put("type", "array").set("items", schema(arguments[0]))
                    : node().put("type", "object").set("additionalProperties", schema(arguments[1]));
        }
        Class<?> type = (Class<?>) annotated.getType();
        if (type.isRecord()) {
            return reference(type);
        }
        return node().put("type", plainType(type));
    }

    private static String plainType(Class<?> type) {
        if (type == String.class) {
            return "string";
        } else if (type == boolean.class) {
            return "boolean";
        }
        return type == double.class ? "number" : "integer";
    }

    /** Unique without its package: a test holds that. */
    private static String name(Class<?> type) {
        Class<?> outer = type.getEnclosingClass();
        return outer == null || outer == Messages.class
                ? type.getSimpleName()
                : outer.getSimpleName() + type.getSimpleName();
    }

    private static ObjectNode node() {
        return JsonMapper.shared().createObjectNode();
    }
}
