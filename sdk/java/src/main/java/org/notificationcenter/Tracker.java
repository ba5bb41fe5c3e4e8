package org.notificationcenter;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;

/** Sends tracked events: single ones and batches. */
final class Tracker {

  private final Sender sender;
  private final Binder binder;

  Tracker(Sender sender, Binder binder) {
    this.sender = sender;
    this.binder = binder;
  }

  CompletableFuture<TrackAnswer> track(TrackEvent event, TrackOptions options) {
    ObjectNode body = withKey(event, "event", UUID.randomUUID().toString());
    return send(
        "/v1/events/track",
        body,
        answer -> answer.path("eventId").isTextual(),
        options,
        Tracker::toAnswer);
  }

  CompletableFuture<BatchAnswer> trackBatch(List<TrackEvent> events, TrackOptions options) {
    if (events == null) throw new IllegalArgumentException("trackBatch needs a list of events.");
    String callKey = UUID.randomUUID().toString();
    ObjectNode body = Json.MAPPER.createObjectNode();
    ArrayNode list = body.putArray("events");
    for (TrackEvent event : events)
      list.add(withKey(event, "events[" + list.size() + "]", callKey + ":" + list.size()));
    return send(
        "/v1/events/track/batch",
        body,
        answer -> answer.path("results").isArray(),
        options,
        Tracker::toBatchAnswer);
  }

  private <T> CompletableFuture<T> send(
      String path,
      ObjectNode body,
      Predicate<JsonNode> isAnswer,
      TrackOptions options,
      Function<Sender.Sent, T> read) {
    byte[] bytes = Requests.toBytes(body.put("sdkSecretKey", sender.sdkSecretKey()));
    return sender.send(new Sender.Call("POST", path, bytes, null, isAnswer), options, read);
  }

  private static TrackAnswer toAnswer(Sender.Sent sent) {
    JsonNode answer = sent.body();
    return new TrackAnswer(
        answer.get("eventId").textValue(),
        Json.text(answer, "correlationId"),
        answer.path("duplicate").asBoolean(),
        toInstant(Json.text(answer, "receivedAt")));
  }

  private static BatchAnswer toBatchAnswer(Sender.Sent sent) {
    List<BatchResult> results = new ArrayList<>();
    for (JsonNode result : sent.body().get("results")) results.add(toResult(result));
    return new BatchAnswer(results, sent.correlationId());
  }

  /** Created before the first attempt, so that a repeat after a lost answer finds its event. */
  private ObjectNode withKey(TrackEvent event, String place, String key) {
    if (event == null) throw new IllegalArgumentException(place + " must be an event.");
    ObjectNode body = Json.MAPPER.createObjectNode();
    for (Map.Entry<String, Object> field : event.fields().entrySet()) {
      body.set(field.getKey(), toTree(field.getValue(), place + "." + field.getKey()));
    }
    JsonNode properties = body.get("properties");
    if (properties != null && !properties.isObject()) {
      throw new IllegalArgumentException(place + ".properties must be a JSON object.");
    }
    if (!body.has("idempotencyKey")) body.put("idempotencyKey", key);
    return body;
  }

  private JsonNode toTree(Object value, String place) {
    try {
      return binder.toTree(value);
    } catch (IllegalArgumentException | StackOverflowError error) {
      throw new IllegalArgumentException(place + " cannot be written as JSON.", error);
    }
  }

  private static BatchResult toResult(JsonNode result) {
    return new BatchResult(
        Json.text(result, "eventId"),
        result.path("duplicate").asBoolean(),
        Json.text(result, "code"),
        Json.text(result, "message"),
        Json.text(result, "reason"));
  }

  private static Instant toInstant(String text) {
    try {
      return text == null ? null : Instant.parse(text);
    } catch (DateTimeException error) {
      return null;
    }
  }
}
