package org.beefs.queenbee.console.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.LongStream;
import org.beefs.common.wire.DeclareLost;
import org.beefs.common.wire.QueenRequest;
import org.beefs.queenbee.console.ConsoleHive;
import org.beefs.queenbee.console.login.Principal;
import org.beefs.queenbee.console.login.Role;
import org.beefs.queenbee.testing.TestConfig;
import org.beefs.queenbee.testing.TestDesktop;
import org.beefs.queenbee.testing.TestHive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The REST interface does what its description says, all of it, and nothing else. */
class ApiTest {
    /** In an order in which all of them succeed: what a path or query needs, and a body. */
    private static final Map<String, String> EXAMPLES = Map.of(
            "{desktop}",
            "away",
            "{account}",
            "maria",
            "{setting}",
            "replicas",
            "{name}",
            "console.session",
            "desktops",
            "a",
            "name",
            "report",
            "after",
            "0",
            "before",
            "100",
            "limit",
            "3");

    /** All fields of all bodies. */
    private static final String BODY = "{\"name\":\"made\",\"role\":\"viewer\",\"value\":\"VALUE\",\"time\":\"1h\"}";

    @TempDir
    private Path folder;

    private ConsoleHive console;
    private long file;

    @BeforeEach
    void open() {
        TestHive hive = new TestHive();
        TestDesktop a = new TestDesktop(hive, "a").registered();
        TestDesktop away = new TestDesktop(hive, "away")
                .withCards(ByteString.copyFromUtf8("card01"))
                .registered();
        giveUp("gone", hive, List.of(a, away));
        console = new ConsoleHive(hive, folder);
        file = console.makeFile("report", 1);
        away.disconnect();
        hive.run();
        console.accounts().set("admin", Role.ADMINISTRATOR);
        console.accounts().set("maria", Role.VIEWER);
        console.accounts().makeToken("backup", Role.VIEWER, new Principal("admin", Role.ADMINISTRATOR));
        console.model().refresh();
    }

    /** It can be forgotten. */
    private static void giveUp(String desktop, TestHive hive, List<TestDesktop> others) {
        new TestDesktop(hive, desktop).registered().disconnect();
        others.getFirst()
                .ok(QueenRequest.newBuilder()
                        .setDeclareLost(DeclareLost.newBuilder().setDesktop(desktop)));
        hive.advance(others, TestConfig.usual().lease().multipliedBy(2));
    }

    @Test
    void shouldAnswerEachOperationAsItIsDescribed() {
        JsonNode description = console.api().description();
        List<String> called = new ArrayList<>();
        for (String path : description.get("paths").propertyNames()) {
            for (String method : description.get("paths").get(path).propertyNames()) {
                if (!method.equals("delete")) {
                    check(description, path, method);
                    called.add(method + path);
                }
            }
        }
        for (String path : description.get("paths").propertyNames()) {
            if (description.get("paths").get(path).has("delete")) {
                check(description, path, "delete");
                called.add("delete" + path);
            }
        }

        assertThat(called)
                .contains("get/hive", "post/desktops/{desktop}/drain", "post/recovery/drill", "delete/tokens/{token}")
                .hasSizeGreaterThan(20);
    }

    /** Whoever asks again for what came after the last one that he knows misses none. */
    @Test
    void shouldTellAllEventsToWhoAsksAgainAndAgain() {
        console.model().events().add("hive", null, "the queen-bee has started", null);
        long known = events(Map.of()).getLast();
        for (int i = 0; i < 1100; i++) {
            console.model().events().add("desktop", "a", "a is asleep", null);
        }
        List<Long> told = new ArrayList<>();

        for (List<Long> page = after(known); !page.isEmpty(); page = after(page.getLast())) {
            assertThat(page).hasSizeLessThanOrEqualTo(500);
            told.addAll(page);
        }

        assertThat(told)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(known + 1, known + 1100).boxed().toList());
    }

    /** Earlier commands begin with those after 0, and mean the newest. */
    @Test
    void shouldTellTheNewestEventsToWhoKnowsNone() {
        for (int i = 0; i < 600; i++) {
            console.model().events().add("desktop", "a", "a is asleep", null);
        }
        List<Long> newest = events(Map.of());

        assertThat(newest).hasSize(500).isEqualTo(after(0));
        assertThat(events(Map.of("limit", "2"))).isEqualTo(newest.subList(498, 500));
        assertThat(events(Map.of("before", newest.getFirst().toString(), "limit", "2")))
                .containsExactly(newest.getFirst() - 2, newest.getFirst() - 1);
        assertThat(events(Map.of("after", "7", "before", "10"))).containsExactly(8L, 9L);
        assertThat(events(Map.of("before", "1"))).isEmpty();
    }

    private List<Long> after(long id) {
        return events(Map.of("after", Long.toString(id)));
    }

    private List<Long> events(Map<String, String> query) {
        JsonNode answer = JsonMapper.shared()
                .valueToTree(call("GET", "/events", query, "").body());
        return answer.get("events")
                .valueStream()
                .map(event -> event.get("id").asLong())
                .toList();
    }

    @Test
    void shouldAnswerFailuresAsProblems() {
        assertProblem(call("GET", "/nothing", Map.of(), ""), 404);
        assertProblem(call("PATCH", "/hive", Map.of(), ""), 405);
        assertProblem(call("GET", "/file", Map.of("path", "/none"), ""), 404);
        assertProblem(call("GET", "/file", Map.of("inode", "one"), ""), 400);
        assertProblem(call("GET", "/entries", Map.of("path", "/report"), ""), 400);
        assertProblem(call("GET", "/without", Map.of(), ""), 400);
        assertProblem(call("GET", "/desktops/none/presence", Map.of(), ""), 404);
        assertProblem(call("GET", "/without", Map.of("desktops", "none"), ""), 404);
        assertProblem(call("POST", "/desktops/none/drain", Map.of(), ""), 404);
        assertProblem(call("POST", "/desktops/a/lost", Map.of(), ""), 409);
        assertProblem(call("POST", "/desktops/a/forget", Map.of(), ""), 409);
        assertProblem(call("POST", "/desktops/none/forget", Map.of(), ""), 404);
        assertProblem(call("PUT", "/desktops/none/room", Map.of(), "{\"value\":\"cellar\"}"), 404);
        assertProblem(call("PUT", "/desktops/a/room", Map.of(), "{}"), 400);
        assertProblem(call("POST", "/desktops/a/wake", Map.of(), ""), 409);
        assertProblem(call("POST", "/desktops/away/pause", Map.of(), ""), 404);
        assertProblem(call("POST", "/desktops/a/pause", Map.of(), "{\"time\":\"soon\"}"), 400);
        assertProblem(call("POST", "/desktops/a/pause", Map.of(), "{\"time\":\"9999d\"}"), 400);
        assertProblem(call("DELETE", "/clients/none", Map.of(), ""), 404);
        assertProblem(call("GET", "/usage", Map.of("path", "/none"), ""), 404);
        assertProblem(call("PUT", "/files/" + file + "/settings/colour", Map.of(), "{\"value\":\"2\"}"), 400);
        assertProblem(call("PUT", "/files/" + file + "/settings/replicas", Map.of(), "{\"value\":\"many\"}"), 400);
        assertProblem(call("PUT", "/files/report/settings/replicas", Map.of(), "{\"value\":\"2\"}"), 400);
        assertProblem(call("PUT", "/settings/console.colour", Map.of(), "{\"value\":\"2\"}"), 404);
        assertProblem(call("PUT", "/settings/console.session", Map.of(), "{\"value\":\"long\"}"), 400);
        assertProblem(call("DELETE", "/files/999/settings/replicas", Map.of(), ""), 404);
        assertProblem(call("PUT", "/settings/console.session", Map.of(), "{}"), 400);
        assertProblem(call("PUT", "/settings/console.session", Map.of(), "{\"value\":{\"hours\":2}}"), 400);
        assertProblem(call("PUT", "/settings/console.session", Map.of(), "null"), 400);
        assertProblem(call("PUT", "/settings/console.session", Map.of(), "[]"), 400);
        assertProblem(call("PUT", "/settings/console.session", Map.of(), "\"2h\""), 400);
        assertProblem(call("POST", "/tokens", Map.of(), "no JSON"), 400);
        assertProblem(call("POST", "/tokens", Map.of(), "{}"), 400);
        assertProblem(call("PUT", "/accounts/joe", Map.of(), "{\"role\":\"king\"}"), 400);
        assertProblem(call("PUT", "/accounts/%0a", Map.of(), "{\"role\":\"viewer\"}"), 400);
        assertProblem(call("GET", "/desktops/%zz", Map.of(), ""), 400);
    }

    @Test
    void shouldTellWhatCanBeDoneWhereSomethingElseWasAsked() {
        assertThat(call("PATCH", "/accounts/maria", Map.of(), "").allowed()).containsExactly("PUT", "DELETE");
        assertThat(call("POST", "/openapi.json", Map.of(), "").allowed()).containsExactly("GET");
        assertThat(call("GET", "/openapi.json", Map.of(), "").body())
                .isEqualTo(console.api().description());
        assertThat(call("GET", "/nothing", Map.of(), "").allowed()).isEmpty();
    }

    @Test
    void shouldLetViewersChangeNothing() {
        Principal viewer = new Principal("maria", Role.VIEWER);
        JsonNode paths = console.api().description().get("paths");
        for (String path : paths.propertyNames()) {
            for (String method : paths.get(path).propertyNames()) {
                ApiResponse response = console.api()
                        .call(new ApiRequest(
                                method.toUpperCase(Locale.ROOT), Api.ROOT + filled(path), EXAMPLES, "{}", viewer));
                boolean restricted = paths.get(path).get(method).has("description");
                assertThat(response.status() == 403).as(method + path).isEqualTo(restricted);
                assertThat(restricted || method.equals("get")).as(method + path).isTrue();
            }
        }
    }

    @Test
    void shouldTellSecretsOnceAndKeepNone() {
        Messages.NewToken made =
                (Messages.NewToken) call("POST", "/tokens", Map.of(), "{\"name\":\"n\",\"role\":\"viewer\"}")
                        .body();

        assertThat(JsonMapper.shared()
                        .writeValueAsString(call("GET", "/tokens", Map.of(), "").body()))
                .contains(made.id())
                .doesNotContain(made.secret());
        assertThat(folder.resolve("accounts.json")).content().doesNotContain(made.secret());
    }

    private void check(JsonNode description, String path, String method) {
        JsonNode operation = description.get("paths").get(path).get(method);
        String body =
                operation.has("requestBody") ? BODY.replace("VALUE", path.startsWith("/settings") ? "2h" : "2") : "";

        ApiResponse response = call(method.toUpperCase(Locale.ROOT), filled(path), query(operation), body);

        assertThat(response.body()).as(method + path).isNotInstanceOf(Problem.class);
        JsonNode described = operation.get("responses").get(Integer.toString(response.status()));
        assertThat(described).as(method + path + " " + response.status()).isNotNull();
        JsonNode schema = described.get("content").get("application/json").get("schema");
        checkSchema(method + path, description, schema, JsonMapper.shared().valueToTree(response.body()));
    }

    private String filled(String path) {
        String token = console.accounts().tokens().isEmpty()
                ? "none"
                : console.accounts().tokens().getFirst().id();
        // The one that is away has no session, and the other cannot be given up.
        boolean present = path.startsWith("/clients") || path.endsWith("/pause");
        String absent = path.endsWith("/forget") ? "gone" : EXAMPLES.get("{desktop}");
        String desktop = present ? "a" : absent;
        return path.replace("{desktop}", desktop)
                .replace("{account}", EXAMPLES.get("{account}"))
                .replace("{setting}", EXAMPLES.get("{setting}"))
                .replace("{name}", EXAMPLES.get("{name}"))
                .replace("{inode}", Long.toString(file))
                .replace("{token}", token);
    }

    private static Map<String, String> query(JsonNode operation) {
        Map<String, String> query = new HashMap<>();
        for (JsonNode parameter : operation.get("parameters")) {
            String name = parameter.get("name").asString();
            boolean inQuery = parameter.get("in").asString().equals("query");
            if (inQuery && parameter.get("required").asBoolean()) {
                query.put(name, EXAMPLES.get(name));
            }
        }
        return query;
    }

    private static void checkSchema(String where, JsonNode description, JsonNode schema, JsonNode value) {
        if (schema.has("anyOf")) {
            if (!value.isNull()) {
                checkSchema(where, description, schema.get("anyOf").get(0), value);
            }
        } else if (schema.has("$ref")) {
            String name = schema.get("$ref").asString().replace("#/components/schemas/", "");
            JsonNode named = description.get("components").get("schemas").get(name);
            assertThat(named).as(where + ": " + name).isNotNull();
            checkSchema(where + ">" + name, description, named, value);
        } else {
            checkType(where, description, schema, value);
        }
    }

    private static void checkType(String where, JsonNode description, JsonNode schema, JsonNode value) {
        switch (schema.get("type").asString()) {
            case "string" -> assertThat(value.isString()).as(where + value).isTrue();
            case "boolean" -> assertThat(value.isBoolean()).as(where + value).isTrue();
            case "integer" ->
                assertThat(value.isIntegralNumber()).as(where + value).isTrue();
            case "number" -> assertThat(value.isNumber()).as(where + value).isTrue();
            case "array" -> value.forEach(item -> checkSchema(where, description, schema.get("items"), item));
            default -> checkObject(where, description, schema, value);
        }
    }

    private static void checkObject(String where, JsonNode description, JsonNode schema, JsonNode value) {
        assertThat(value).as(where).isInstanceOf(ObjectNode.class);
        if (schema.has("additionalProperties")) {
            value.forEach(item -> checkSchema(where, description, schema.get("additionalProperties"), item));
            return;
        }
        assertThat(value.propertyNames())
                .as(where)
                .containsExactlyInAnyOrderElementsOf(schema.get("properties").propertyNames());
        value.propertyNames()
                .forEach(name -> checkSchema(
                        where + "." + name,
                        description,
                        schema.get("properties").get(name),
                        value.get(name)));
    }

    private ApiResponse call(String method, String path, Map<String, String> query, String body) {
        return console.api()
                .call(new ApiRequest(method, Api.ROOT + path, query, body, Principal.atCommandLine("root")));
    }

    private static void assertProblem(ApiResponse response, int status) {
        assertThat(response.body()).isInstanceOf(Problem.class);
        Problem problem = (Problem) response.body();
        assertThat(problem.status()).as(problem.detail()).isEqualTo(status);
        assertThat(response.status()).isEqualTo(status);
        assertThat(problem.type()).isEqualTo("about:blank");
        assertThat(problem.detail()).isNotBlank();
    }
}
