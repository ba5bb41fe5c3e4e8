package org.notificationcenter;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Describes one event to track. Immutable: each method returns a new event.
 *
 * <pre>{@code
 * TrackEvent.named("order.shipped").userId("u_42").properties(Map.of("orderId", "A-1042"))
 * }</pre>
 *
 * <p>An event has exactly one of {@link #userId}, {@link #userIds} and {@link #topic}. The service
 * checks all fields; this class sends them as they are.
 */
public final class TrackEvent {
  private final Map<String, Object> fields;

  private TrackEvent(Map<String, Object> fields) {
    this.fields = fields;
  }

  /**
   * Creates an event without recipients.
   *
   * @param name {@code order.shipped}, {@code Order Completed}: words joined by one of {@code . _ :
   *     / -} or a space, up to 128 characters
   * @return the event
   */
  public static TrackEvent named(String name) {
    return new TrackEvent(Map.of()).with("name", Objects.requireNonNull(name, "name"));
  }

  /**
   * Sets the one user that the event is about.
   *
   * @param userId 1 to 256 characters
   * @return a new event
   */
  public TrackEvent userId(String userId) {
    return with("userId", Objects.requireNonNull(userId, "userId"));
  }

  /**
   * Sets the one user that the event is about, by a number.
   *
   * @param userId the id, sent as its digits
   * @return a new event
   */
  public TrackEvent userId(long userId) {
    return userId(Long.toString(userId));
  }

  /**
   * Sets the users that the event is about.
   *
   * @param userIds 1 to 1,000 user ids
   * @return a new event
   */
  public TrackEvent userIds(List<String> userIds) {
    return with("userIds", List.copyOf(userIds));
  }

  /**
   * Sets the topic whose subscribers the event is about.
   *
   * @param topic the key of the topic
   * @return a new event
   */
  public TrackEvent topic(String topic) {
    return with("topic", Objects.requireNonNull(topic, "topic"));
  }

  /**
   * Sets the data of the event. Jackson writes it at each call, so it must not change before the
   * call returns.
   *
   * @param properties a map, a {@code JsonNode}, or an object that Jackson writes as a JSON object
   * @return a new event
   */
  public TrackEvent properties(Object properties) {
    return with("properties", Objects.requireNonNull(properties, "properties"));
  }

  /**
   * Sets the instant of the event. Without it the event has the instant at which the service
   * receives it.
   *
   * @param occurredAt the instant, at most one hour ahead
   * @return a new event
   */
  public TrackEvent occurredAt(Instant occurredAt) {
    return with("occurredAt", Json.toText(Objects.requireNonNull(occurredAt, "occurredAt")));
  }

  /**
   * Sets the profile of the user, which the service merges into the stored one. Only with {@link
   * #userId}.
   *
   * @param user the profile
   * @return a new event
   */
  public TrackEvent user(UserProfile user) {
    return with("user", Objects.requireNonNull(user, "user").fields());
  }

  /**
   * Sets a key of your own, such as an order id, for the case that your own calls repeat. Without
   * it the client makes a key for each call.
   *
   * @param idempotencyKey 1 to 256 characters
   * @return a new event
   */
  public TrackEvent idempotencyKey(String idempotencyKey) {
    return with("idempotencyKey", Objects.requireNonNull(idempotencyKey, "idempotencyKey"));
  }

  Map<String, Object> fields() {
    return fields;
  }

  private TrackEvent with(String field, Object value) {
    Map<String, Object> changed = new LinkedHashMap<>(fields);
    changed.put(field, value);
    return new TrackEvent(changed);
  }
}
