package org.notificationcenter.jsonschema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.notificationcenter.DispatchResponse;
import org.notificationcenter.EnricherErrorCode;
import org.notificationcenter.EnricherRegistrationException;
import org.notificationcenter.ParamsIssue;
import org.notificationcenter.ParamsSchema;

/** Tests what the vectors do not have: places, bounds, references, and classes behind a schema. */
class JsonSchemaTest {
  record Order(String orderId, int lines) {}

  interface Unbound {}

  @TempDir Path folder;

  private static List<ParamsIssue> issuesOf(String schema, Object params) {
    DispatchResponse response = new Signed(JsonSchema.parse(schema)).dispatch(params);
    assertEquals(EnricherErrorCode.INPUT_INVALID, response.error().code(), response::toString);
    return response.error().details();
  }

  private static EnricherRegistrationException refuse(String schema) {
    return assertThrows(EnricherRegistrationException.class, () -> JsonSchema.parse(schema));
  }

  @Test
  void anIssueSaysWhere() {
    ParamsIssue issue =
        issuesOf("{\"properties\":{\"a/b\":{\"type\":\"string\"}}}", Map.of("a/b", 7)).get(0);
    assertEquals("type", issue.keyword());
    assertEquals("#/properties/a~1b/type", issue.keywordLocation());
    assertEquals("#/a~1b", issue.instanceLocation());
    assertEquals("integer found, string expected", issue.error());
    ParamsIssue missing = issuesOf("{\"required\":[\"orderId\"]}", Map.of()).get(0);
    assertEquals("#/required", missing.keywordLocation());
    assertEquals("#", missing.instanceLocation());
    assertTrue(missing.error().contains("'orderId'"), missing.error());
  }

  @Test
  void anIssueBehindAReferenceHasThePlaceOfItsKeyword() {
    String local =
        "{\"$defs\":{\"id\":{\"type\":\"string\"}},\"properties\":{\"a\":{\"$ref\":\"#/$defs/id\"}}}";
    assertEquals("#/$defs/id/type", issuesOf(local, Map.of("a", 1)).get(0).keywordLocation());
    String named =
        "{\"$id\":\"https://example.com/order\",\"properties\":{\"a\":{\"type\":\"string\"}}}";
    assertEquals(
        "https://example.com/order#/properties/a/type",
        issuesOf(named, Map.of("a", 1)).get(0).keywordLocation());
  }

  @Test
  void messagesAreEnglishEverywhere() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.GERMAN);
    try {
      assertEquals(
          "integer found, string expected", issuesOf("{\"type\":\"string\"}", 1).get(0).error());
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void atMostAHundredIssuesAreReported() {
    List<Integer> items = Collections.nCopies(5000, 1);
    assertEquals(100, issuesOf("{\"items\":{\"type\":\"string\"}}", items).size());
  }

  @Test
  void aLaterChangeOfTheSchemaHasNoEffect() {
    ObjectNode schema = new ObjectMapper().createObjectNode();
    schema.putArray("required").add("a");
    Signed calls = new Signed(JsonSchema.of(schema));
    schema.withArray("required").add("b");
    assertNull(calls.dispatch(Map.of("a", 1)).error());
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(
      strings = {"", "x", "7", "\"text\"", "[{}]", "{\"not\":7}", "{} {}",
        "{\"$dynamicRef\":\"#\"}", "{\"properties\":{\"a\":{\"$recursiveRef\":\"#\"}}}"})
  void whatIsNoSchemaIsRefused(String text) {
    refuse(text);
  }

  @Test
  void whatIsNotJsonIsRefused() {
    List<Object> circle = new ArrayList<>();
    circle.add(circle);
    assertThrows(EnricherRegistrationException.class, () -> JsonSchema.of(circle));
    assertThrows(EnricherRegistrationException.class, () -> JsonSchema.of(new Object()));
  }

  @Test
  void theValuesOfAnObjectMayRepeat() {
    Signed calls = new Signed(JsonSchema.parse("{\"uniqueItems\":true}"));
    assertTrue(calls.dispatch(Map.of("a", 1, "b", 1)).ok());
    assertFalse(calls.dispatch(List.of(1, 1)).ok());
  }

  @Test
  void anAddressWithinPatternPropertiesIsRefusedWithItsPlace() {
    String message = refuse("{\"patternProperties\":{\"^a/\":{\"$id\":\"a\"}}}").getMessage();
    assertTrue(message.contains("#/patternProperties/^a~1/$id: "), message);
  }

  @Test
  void aNameThatLooksLikeAnUnsupportedKeywordIsTaken() {
    String schema = "{\"properties\":{\"$dynamicRef\":{\"const\":{\"$recursiveRef\":\"#\"}}}}";
    Signed calls = new Signed(JsonSchema.parse(schema));
    assertTrue(calls.dispatch(Map.of("$dynamicRef", Map.of("$recursiveRef", "#"))).ok());
  }

  @Test
  void aSchemaMayBindToAClass() {
    ParamsSchema<Order> schema =
        JsonSchema.parse("{\"properties\":{\"lines\":{\"minimum\":1}}}").as(Order.class);
    Signed calls = new Signed(schema);
    assertTrue(calls.dispatch(Map.of("orderId", "A", "lines", 1)).ok());
    DispatchResponse small = calls.dispatch(Map.of("orderId", "A", "lines", 0));
    assertEquals("minimum", small.error().details().get(0).keyword());
    DispatchResponse other = calls.dispatch(Map.of("orderId", "A", "lines", 1.5));
    assertEquals("#/lines", other.error().details().get(0).instanceLocation());
    assertThrows(
        EnricherRegistrationException.class,
        () -> new Signed(JsonSchema.parse("{}").as(Unbound.class)));
  }

  @Test
  void nothingIsEverFetched() throws Exception {
    Path file = Files.writeString(folder.resolve("schema.json"), "{}");
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      String url = "http://127.0.0.1:" + server.getLocalPort() + "/schema.json";
      List<String> addresses =
          List.of(
              url,
              url + "#/$defs/a",
              "//127.0.0.1/schema.json",
              file.toUri().toString(),
              "classpath:draft/2020-12/schema",
              "resource:draft/2020-12/schema",
              "draft/2020-12/schema",
              "https://json-schema.org/draft/2020-12/schema",
              "urn:example:a");
      for (String address : addresses) {
        String reference = "{\"$ref\":\"" + address + "\"}";
        String deep = "{\"$defs\":{\"a\":{\"items\":" + reference + "}},\"$ref\":\"#/$defs/a\"}";
        String based = "{\"$id\":\"" + url + "x\",\"not\":" + reference + "}";
        for (String schema : List.of(reference, deep, based)) {
          String message = refuse(schema).getMessage();
          assertTrue(message.contains("leads nowhere"), message);
        }
        refuse("{\"$schema\":\"" + address.replace("2020-12", "x") + "\"}");
        String within = "{\"$id\":\"urn:x\",\"$schema\":\"" + address.replace("2020-12", "x") + "\"}";
        refuse("{\"$defs\":{\"a\":" + within + "},\"$ref\":\"urn:x\"}");
      }
      server.setSoTimeout(1);
      assertThrows(SocketTimeoutException.class, server::accept);
    }
  }

  @Test
  void aPatternThatBacktracksIsGivenUp() {
    String schema = "{\"not\":{\"pattern\":\"^(?:.*a){20}b$\"}}";
    assertTimeoutPreemptively(
        Duration.ofSeconds(20),
        () -> assertEquals("pattern", issuesOf(schema, "a".repeat(60)).get(0).keyword()));
    String deep = "{\"pattern\":\"^(a|b)*$\"}";
    assertEquals("pattern", issuesOf(deep, "ab".repeat(100_000)).get(0).keyword());
  }

  @Test
  void referencesThatBranchAreGivenUp() {
    String levels =
        IntStream.range(0, 60)
            .mapToObj(
                i ->
                    "\"d%d\":{\"allOf\":[{\"$ref\":\"#/$defs/d%d\"},{\"$ref\":\"#/$defs/d%d\"}]}"
                        .formatted(i, i + 1, i + 1))
            .collect(Collectors.joining(","));
    String schema = "{\"$defs\":{" + levels + ",\"d60\":true},\"$ref\":\"#/$defs/d0\"}";
    assertTimeoutPreemptively(
        Duration.ofSeconds(20), () -> assertEquals("$ref", issuesOf(schema, 1).get(0).keyword()));
  }

  @Test
  void aLoopOfReferencesIsAnswered() {
    Signed calls = new Signed(JsonSchema.parse("{\"$ref\":\"#\"}"));
    assertEquals(EnricherErrorCode.INTERNAL, calls.dispatch(Map.of()).error().code());
  }

  @Test
  void depthHasABound() {
    String deep = "{\"not\":".repeat(5000) + "{}" + "}".repeat(5000);
    refuse(deep);
    String less = "{\"not\":".repeat(900) + "{}" + "}".repeat(900);
    try {
      new Signed(JsonSchema.parse(less)).dispatch(1);
    } catch (EnricherRegistrationException refused) {
      assertTrue(refused.getMessage().contains("deep"), refused.getMessage());
    }
    Signed list = new Signed(JsonSchema.parse("{\"properties\":{\"next\":{\"$ref\":\"#\"}}}"));
    Object params = Map.of();
    for (int i = 0; i < 400; i++) params = Map.of("next", params);
    assertTrue(list.dispatch(params).ok());
  }

  @ParameterizedTest
  @ValueSource(strings = {"a@b.c", "mira@intranet", "mira+1@shop.newdomain", "o'hara@example.com"})
  void anAddressBelowAnyDomainIsAnEmail(String address) {
    assertTrue(new Signed(JsonSchema.parse("{\"format\":\"email\"}")).dispatch(address).ok());
  }

  @Test
  void largeParamsFit() {
    Signed calls =
        new Signed(
            JsonSchema.parse(
                "{\"items\":{\"$ref\":\"#/$defs/a\"},\"uniqueItems\":true,"
                    + "\"$defs\":{\"a\":{\"pattern\":\"^[a-z0-9]+$\"}}}"));
    List<String> items = IntStream.range(0, 100_000).mapToObj(i -> "item" + i).toList();
    DispatchResponse response = calls.dispatch(items);
    assertTrue(response.ok(), response::toString);
  }

  @ParameterizedTest
  @ValueSource(strings = {"integer", "number"})
  void aNumberBeyondAllIsANumber(String type) throws Exception {
    Object huge = new ObjectMapper().readTree("[1e999, -1e999, 1e308]");
    String schema =
        "{\"items\":{\"type\":\"" + type + "\",\"multipleOf\":1,\"minimum\":0},\"uniqueItems\":true}";
    List<ParamsIssue> issues = issuesOf(schema, huge);
    assertFalse(issues.isEmpty());
  }
}
