package org.notificationcenter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.http.HttpTimeoutException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.StreamSupport;

/**
 * Runs one operation of the vectors or of the live suite, and compares its result, its error and
 * its requests.
 */
final class CaseRunner {
  private static final Map<String, String> PATHS =
      Map.of("track", "/v1/events/track", "trackBatch", "/v1/events/track/batch");

  /** Two readings of a clock differ by less. */
  private static final double CLOCK_MS = 2;

  private CaseRunner() {}

  static NotificationClientBuilder clientOf(JsonNode options) {
    NotificationClientBuilder builder = NotificationClient.builder();
    for (Map.Entry<String, JsonNode> option : options.properties()) {
      JsonNode value = option.getValue();
      switch (option.getKey()) {
        case "authSecretKey" -> builder.authSecretKey(value.textValue());
        case "sdkSecretKey" -> builder.sdkSecretKey(value.textValue());
        case "webhookSigningSecret" -> builder.webhookSigningSecret(value.textValue());
        case "baseUrl" -> builder.baseUrl(value.textValue());
        case "timeoutMs" -> builder.timeoutMs(value.longValue());
        case "retryDelaysMs" ->
            builder.retryDelaysMs(
                StreamSupport.stream(value.spliterator(), false)
                    .mapToLong(JsonNode::longValue)
                    .toArray());
        default -> throw new IllegalArgumentException(option.getKey());
      }
    }
    return builder;
  }

  static TrackEvent eventOf(JsonNode json) {
    TrackEvent event = TrackEvent.named(json.get("name").textValue());
    if (json.has("userId")) event = event.userId(json.get("userId").textValue());
    if (json.has("topic")) event = event.topic(json.get("topic").textValue());
    if (json.has("properties")) event = event.properties(json.get("properties"));
    if (json.has("occurredAt"))
      event = event.occurredAt(Instant.parse(json.get("occurredAt").textValue()));
    if (json.has("idempotencyKey"))
      event = event.idempotencyKey(json.get("idempotencyKey").textValue());
    if (json.has("user")) event = event.user(profileOf(json.get("user")));
    if (!json.has("userIds")) return event;
    return event.userIds(
        StreamSupport.stream(json.get("userIds").spliterator(), false)
            .map(JsonNode::textValue)
            .toList());
  }

  private static UserProfile profileOf(JsonNode json) {
    UserProfile profile = UserProfile.create();
    if (json.has("email")) profile = profile.email(json.get("email").textValue());
    if (json.has("name")) profile = profile.name(json.get("name").textValue());
    if (json.has("locale")) profile = profile.locale(json.get("locale").textValue());
    if (json.has("timeZone")) profile = profile.timeZone(json.get("timeZone").textValue());
    if (json.has("attributes")) profile = profile.attributes(json.get("attributes"));
    if (!json.has("externalIds")) return profile;
    Map<String, String> ids = new HashMap<>();
    json.get("externalIds")
        .fields()
        .forEachRemaining(id -> ids.put(id.getKey(), id.getValue().textValue()));
    return profile.externalIds(ids);
  }

  private static TrackOptions optionsOf(JsonNode json) {
    TrackOptions options = TrackOptions.none();
    if (json.has("timeoutMs")) options = options.timeoutMs(json.get("timeoutMs").longValue());
    return json.has("correlationId")
        ? options.correlationId(json.get("correlationId").textValue())
        : options;
  }

  /** Calls the operation and compares its end. Returns the result as JSON, or the error. */
  static Object run(NotificationClient client, JsonNode operation, int repeat) {
    JsonNode expected = operation.get("expect");
    ObjectNode result = null;
    IOException error = null;
    try {
      result = call(client, operation, repeat);
    } catch (IOException thrown) {
      error = thrown;
    }
    if (expected.has("error")) {
      assertNull(result, "the call must fail");
      checkError(error, expected.get("error"));
      return error;
    }
    assertNull(error, "the call must not fail");
    if (expected.has("result")) assertHolds(expected.get("result"), result, "result");
    if (expected.has("count"))
      assertEquals(expected.get("count").intValue(), result.get("results").size());
    return result;
  }

  private static ObjectNode call(NotificationClient client, JsonNode operation, int repeat)
      throws IOException {
    TrackOptions options = optionsOf(operation.path("options"));
    if (operation.get("call").textValue().equals("track")) {
      TrackAnswer answer = client.track(eventOf(operation.get("event")), options);
      ObjectNode json = Json.MAPPER.createObjectNode().put("eventId", answer.eventId());
      json.put("correlationId", answer.correlationId()).put("duplicate", answer.duplicate());
      return json.put(
          "receivedAt", answer.receivedAt() == null ? null : Json.toText(answer.receivedAt()));
    }
    List<TrackEvent> events = new ArrayList<>();
    for (int i = 0; i < repeat; i++)
      operation.get("events").forEach(event -> events.add(eventOf(event)));
    BatchAnswer answer = client.trackBatch(events, options);
    ObjectNode json = Json.MAPPER.createObjectNode().put("correlationId", answer.correlationId());
    for (BatchResult one : answer.results()) {
      ObjectNode item = json.withArray("results").addObject();
      if (one.isAccepted()) item.put("eventId", one.eventId()).put("duplicate", one.duplicate());
      else item.put("code", one.code()).put("message", one.message()).put("reason", one.reason());
    }
    return json;
  }

  /** Compares the expected fields; the result may have more. */
  private static void assertHolds(JsonNode expected, JsonNode given, String place) {
    assertNotNull(given, place);
    if (expected.isObject()) {
      expected
          .properties()
          .forEach(
              field ->
                  assertHolds(
                      field.getValue(), given.get(field.getKey()), place + "." + field.getKey()));
    } else if (expected.isArray()) {
      assertEquals(expected.size(), given.size(), place);
      for (int i = 0; i < expected.size(); i++)
        assertHolds(expected.get(i), given.get(i), place + "." + i);
    } else if (expected.asText().equals("<evt>")) {
      assertTrue(given.asText().startsWith("evt_"), place);
    } else {
      assertEquals(expected, given, place);
    }
  }

  private static void checkError(IOException error, JsonNode expected) {
    String kind = expected.get("kind").textValue();
    if (!kind.equals("refusal")) {
      assertFalse(error instanceof NotificationRequestException, () -> "it was " + error);
      assertEquals(
          kind.equals("timeout"), error instanceof HttpTimeoutException, () -> "it was " + error);
      return;
    }
    NotificationRequestException refusal =
        assertInstanceOf(NotificationRequestException.class, error);
    assertEquals(expected.get("status").intValue(), refusal.status());
    assertEquals(Json.text(expected, "code"), refusal.code());
    if (expected.has("reason")) assertEquals(expected.get("reason").textValue(), refusal.reason());
    if (expected.has("correlationId"))
      assertEquals(expected.get("correlationId").textValue(), refusal.correlationId());
    if (expected.has("details"))
      assertEquals(expected.get("details"), Json.MAPPER.valueToTree(refusal.details()));
    if (expected.has("answer")) assertEquals(expected.get("answer"), refusal.answer());
    if (expected.has("messageHolds"))
      assertTrue(refusal.getMessage().contains(expected.get("messageHolds").textValue()));
    if (!expected.has("detailPaths")) return;
    List<String> paths =
        refusal.details().stream().map(detail -> detail.path("path").asText()).toList();
    assertEquals(expected.get("detailPaths"), Json.MAPPER.valueToTree(paths));
  }

  /** Compares the recorded requests of a script with the expected ones. */
  static void checkRequests(
      JsonNode requests, String call, String sdkSecretKey, JsonNode expected) {
    assertEquals(expected.get("calls").intValue(), requests.size(), "calls");
    Set<String> bodies = new HashSet<>();
    for (JsonNode request : requests) {
      bodies.add(request.get("body").textValue());
      assertEquals("POST", request.get("method").textValue());
      assertEquals(PATHS.get(call), request.get("path").textValue());
      assertEquals("Bearer " + sdkSecretKey, request.at("/headers/authorization").textValue());
      assertEquals("application/json", request.at("/headers/content-type").textValue());
      expected
          .path("headers")
          .properties()
          .forEach(
              header ->
                  assertEquals(header.getValue(), request.get("headers").get(header.getKey())));
      ObjectNode sent = (ObjectNode) Json.tryParse(request.get("body").textValue());
      assertEquals(sdkSecretKey, sent.remove("sdkSecretKey").textValue());
      if (expected.has("sent")) checkSent(sent, expected.get("sent"));
    }
    assertTrue(bodies.size() <= 1, "all attempts send the same bytes");
    assertEquals(expected.get("waitsMs").size(), Math.max(0, requests.size() - 1), "pauses");
    for (int i = 0; i < expected.get("waitsMs").size(); i++) {
      double pause =
          requests.get(i + 1).get("startedAtMs").doubleValue()
              - requests.get(i).get("endedAtMs").doubleValue();
      double least = expected.get("waitsMs").get(i).doubleValue();
      assertTrue(
          pause + CLOCK_MS >= least,
          () -> "a pause of " + pause + " ms, at least " + least + " are wanted");
    }
  }

  /** Replaces generated keys, which must differ, and compares. */
  private static void checkSent(ObjectNode sent, JsonNode expected) {
    Set<String> keys = new HashSet<>();
    if (!expected.has("events")) hideKey(sent, expected, keys);
    for (int i = 0; i < expected.path("events").size(); i++) {
      hideKey((ObjectNode) sent.get("events").get(i), expected.get("events").get(i), keys);
    }
    assertTrue(Json.isSame(expected, sent), () -> "wanted " + expected + ", sent " + sent);
  }

  private static void hideKey(ObjectNode sent, JsonNode expected, Set<String> keys) {
    if (!expected.path("idempotencyKey").asText().equals("<generated>")) return;
    String key = sent.get("idempotencyKey").textValue();
    assertTrue(!key.isEmpty() && key.length() <= 256);
    assertTrue(keys.add(key), "each event has a key of its own");
    sent.put("idempotencyKey", "<generated>");
  }

  /**
   * Checks that no text of the value, and of an error its whole stack trace, holds one of the
   * secrets.
   */
  static void checkNoSecret(Object value, JsonNode secrets) {
    StringWriter look = new StringWriter();
    look.append(String.valueOf(value));
    if (value instanceof Throwable error) error.printStackTrace(new PrintWriter(look, true));
    if (value instanceof NotificationRequestException refusal) {
      look.append(refusal.answer().toString())
          .append(refusal.details().toString())
          .append(refusal.reason());
    }
    for (JsonNode secret : secrets)
      assertFalse(look.toString().contains(secret.textValue()), "a secret is shown");
  }
}
