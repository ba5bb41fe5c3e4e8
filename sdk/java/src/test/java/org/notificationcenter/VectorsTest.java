package org.notificationcenter;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests tokens, options and enricher calls with the vectors that all SDKs share. */
class VectorsTest {
  private static final JsonNode TOKENS = Contract.vectors("tokens");
  private static final JsonNode OPTIONS = Contract.vectors("client-options");
  private static final JsonNode CALLS = Contract.vectors("enricher-calls");
  private static final Map<String, Class<? extends EnricherException>> CLASSES =
      Map.of(
          "input-invalid", EnricherInputValidationException.class,
          "hmac-invalid", EnricherHmacVerificationException.class,
          "enricher-not-found", EnricherNotFoundException.class,
          "handler-error", EnricherHandlerException.class,
          "internal", EnricherException.class);

  /** Takes what the schema of the calls takes. */
  private static final ParamsSchema<JsonNode> ORDERS =
      (params, mapper) -> {
        ParamsSchema.of(OrderParams.class).parse(params, mapper);
        return params;
      };

  record OrderParams(@JsonProperty(required = true) String orderId) {}

  private static NotificationClient clientWith(String authSecretKey) {
    return NotificationClient.builder().authSecretKey(authSecretKey).sdkSecretKey("k").baseUrl("http://127.0.0.1:1").build();
  }

  static Stream<Contract.Case> plainTokens() {
    return Contract.cases(TOKENS.get("plain"));
  }

  @ParameterizedTest
  @MethodSource("plainTokens")
  void plainToken(Contract.Case one) {
    NotificationClient client = clientWith(one.data().get("key").textValue());
    assertEquals(
        one.data().get("token").textValue(),
        client.generateHashedToken(one.data().get("userId").textValue()));
  }

  static Stream<Contract.Case> expiringTokens() {
    return Contract.cases(TOKENS.get("expiring"));
  }

  @ParameterizedTest
  @MethodSource("expiringTokens")
  void expiringToken(Contract.Case one) {
    Instant expiresAt =
        Instant.ofEpochSecond(one.data().get("expiresAtSeconds").longValue(), 999_000_000);
    NotificationClient client = clientWith(one.data().get("key").textValue());
    String token = client.generateHashedToken(one.data().get("userId").textValue(), expiresAt);
    assertEquals(one.data().get("token").textValue(), token);
  }

  static Stream<Contract.Case> refusedUserIds() {
    return Contract.cases(TOKENS.get("refusedUserIds"));
  }

  @ParameterizedTest
  @MethodSource("refusedUserIds")
  void refusedUserId(Contract.Case one) {
    String userId = one.data().get("text").textValue().repeat(one.data().get("repeat").intValue());
    NotificationClient client = clientWith("secret");
    assertThrows(IllegalArgumentException.class, () -> client.generateHashedToken(userId));
    assertThrows(
        IllegalArgumentException.class, () -> client.generateHashedToken(userId, Instant.EPOCH));
  }

  static Stream<Contract.Case> acceptedOptions() {
    return Contract.cases(OPTIONS.get("accepted"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("acceptedOptions")
  void acceptedOptions(Contract.Case one) {
    NotificationClient client = CaseRunner.clientOf(one.data().get("options")).build();
    assertFalse(client.toString().contains(OPTIONS.get("secret").textValue()));
  }

  static Stream<Contract.Case> refusedOptions() {
    return Contract.cases(OPTIONS.get("refused"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("refusedOptions")
  void refusedOptions(Contract.Case one) {
    IllegalArgumentException error =
        assertThrows(
            IllegalArgumentException.class,
            () -> CaseRunner.clientOf(one.data().get("options")).build());
    assertTrue(
        error.getMessage().contains(one.data().get("names").textValue()), error.getMessage());
    assertFalse(error.toString().contains(OPTIONS.get("secret").textValue()));
  }

  static Stream<Contract.Case> signatures() {
    return Contract.cases(CALLS.get("signatures"));
  }

  @ParameterizedTest
  @MethodSource("signatures")
  void signature(Contract.Case one) {
    JsonNode data = one.data();
    List<byte[]> keys = Signature.decodeSecret(data.get("secret").textValue());
    String timestamp = data.get("timestamp").asText();
    String payload = data.get("payload").textValue();
    String signed = data.get("id").textValue() + "." + timestamp + "." + payload;
    byte[] mac = Hmac.compute(keys.get(0), signed.getBytes(StandardCharsets.UTF_8));
    assertArrayEquals(
        mac, Base64.getDecoder().decode(data.get("signature").textValue().substring(3)));
    Signature.Headers headers =
        new Signature.Headers(
            data.get("id").textValue(), timestamp, data.get("signature").textValue());
    Signature.verify(
        keys, headers, payload, Instant.ofEpochSecond(data.get("timestamp").longValue()));
  }

  static Stream<Contract.Case> calls() {
    return Contract.cases(CALLS.get("cases"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("calls")
  void enricherCall(Contract.Case one) {
    Clock clock =
        Clock.fixed(
            Instant.ofEpochSecond(CALLS.get("nowSeconds").longValue(), 999_000_000),
            ZoneOffset.UTC);
    NotificationClient client =
        NotificationClient.builder()
            .authSecretKey("a")
            .sdkSecretKey("b").baseUrl("http://127.0.0.1:1")
            .clock(clock)
            .webhookSigningSecret(CALLS.get("secret").textValue())
            .build();
    client.enricher(
        "order-details",
        ORDERS,
        (params, context) -> Map.of("params", params, "userId", context.user().get("id")));
    client.enricher(
        "broken",
        JsonNode.class,
        (params, context) -> {
          throw new IllegalStateException(CALLS.get("handlerSecret").textValue());
        });
    DispatchOptions options = DispatchOptions.none();
    if (one.data().has("headers")) {
      Map<String, String> headers = new HashMap<>();
      one.data()
          .get("headers")
          .properties()
          .forEach(field -> headers.put(field.getKey(), field.getValue().asText()));
      options = options.headers(headers);
    }
    if (one.data().has("name")) options = options.name(one.data().get("name").textValue());
    JsonNode body = one.data().get("body");
    String text = body.toString();
    Object maps = Json.MAPPER.convertValue(body, Object.class);
    for (Object form : new Object[] {body, text, text.getBytes(StandardCharsets.UTF_8), maps}) {
      check(client.dispatch(form, options), one.data().get("expect"));
    }
  }

  private static void check(DispatchResponse response, JsonNode expected) {
    ObjectNode json = (ObjectNode) Json.tryParse(response.toJson());
    assertFalse(json.toString().contains(CALLS.get("handlerSecret").textValue()));
    if (expected.get("ok").booleanValue()) {
      assertTrue(json.remove("durationMs").isIntegralNumber());
      assertEquals(expected, json);
      assertEquals(200, response.status());
      return;
    }
    JsonNode error = json.get("error");
    String code = expected.get("code").textValue();
    assertFalse(json.get("ok").booleanValue());
    assertEquals(code, error.get("code").textValue());
    assertFalse(error.get("message").textValue().isEmpty());
    assertEquals(expected.get("reason"), error.get("reason"));
    assertEquals(expected.path("hasDetails").asBoolean(), error.path("details").isArray());
    assertEquals(expected.get("status").intValue(), response.status());
    assertInstanceOf(CLASSES.get(code), response.error().cause());
  }
}
