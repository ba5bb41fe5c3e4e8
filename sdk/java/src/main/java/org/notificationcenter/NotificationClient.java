package org.notificationcenter;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Represents one environment of the service. Thread-safe; one client serves the whole process. It
 * keeps connections open as {@link HttpClient} does, and needs no closing.
 */
public final class NotificationClient {
  private final String baseUrl;
  // Transient: programs that write or print an object by its fields leave these out.
  private final transient byte[] authSecretKey;
  private final transient Sender sender;
  private final transient Binder binder;
  private final transient Tracker tracker;
  private final transient Dispatcher dispatcher;

  NotificationClient(NotificationClientBuilder options) {
    String key = Settings.parseText(options.authSecretKey, "authSecretKey");
    String sdkSecretKey = Settings.parseKey(options.sdkSecretKey);
    List<byte[]> signingKeys = options.signingKeys();
    baseUrl = Settings.parseUrl(options.baseUrl, System.getenv());
    authSecretKey = key.getBytes(StandardCharsets.UTF_8);
    binder = options.createBinder();
    sender = new Sender(options, baseUrl, sdkSecretKey);
    tracker = new Tracker(sender, binder);
    dispatcher = new Dispatcher(signingKeys, binder, options.clock, options.onEnricherError);
  }

  /**
   * Begins a client.
   *
   * @return a builder; {@code authSecretKey} and {@code sdkSecretKey} are needed
   */
  public static NotificationClientBuilder builder() {
    return new NotificationClientBuilder();
  }

  /**
   * Sends one event. Returns when the service has stored it on disk. A failed attempt is repeated
   * after 1 s and 2 s under one idempotency key, so that the event is stored once.
   *
   * @param event the event
   * @return the answer of the service
   * @throws IOException the error of the last attempt: a {@link NotificationRequestException} for
   *     an answer of the service, a {@link java.net.http.HttpTimeoutException} for a time limit,
   *     else the error of the HTTP client; a {@link java.io.InterruptedIOException} when the thread
   *     is interrupted, which ends the call at once
   * @throws IllegalArgumentException for an event that is no JSON; then nothing was sent
   */
  public TrackAnswer track(TrackEvent event) throws IOException {
    return track(event, TrackOptions.none());
  }

  /**
   * Sends one event with options.
   *
   * @param event the event
   * @param options the options of this call
   * @return the answer of the service
   * @throws IOException as {@link #track(TrackEvent)}
   */
  public TrackAnswer track(TrackEvent event, TrackOptions options) throws IOException {
    return Sender.await(tracker.track(event, options));
  }

  /**
   * Sends one event without waiting. Cancelling the result ends the call.
   *
   * @param event the event
   * @return the answer of the service; it fails as {@link #track(TrackEvent)} does
   */
  public CompletableFuture<TrackAnswer> trackAsync(TrackEvent event) {
    return trackAsync(event, TrackOptions.none());
  }

  /**
   * Sends one event without waiting, with options.
   *
   * @param event the event
   * @param options the options of this call
   * @return as {@link #trackAsync(TrackEvent)}
   */
  public CompletableFuture<TrackAnswer> trackAsync(TrackEvent event, TrackOptions options) {
    return tracker.track(event, options);
  }

  /**
   * Sends 1 to 1,000 events in one request. A fault of one event is its own result; the others are
   * accepted. Retries work as for {@link #track(TrackEvent)}: each event has a key of its own.
   *
   * @param events the events
   * @return one result for each event, in their order
   * @throws IOException as {@link #track(TrackEvent)}
   * @throws IllegalArgumentException when an event cannot be written as JSON; then nothing was sent
   */
  public BatchAnswer trackBatch(List<TrackEvent> events) throws IOException {
    return trackBatch(events, TrackOptions.none());
  }

  /**
   * Sends 1 to 1,000 events in one request, with options.
   *
   * @param events the events
   * @param options the options of this call
   * @return one result for each event, in their order
   * @throws IOException as {@link #track(TrackEvent)}
   */
  public BatchAnswer trackBatch(List<TrackEvent> events, TrackOptions options) throws IOException {
    return Sender.await(tracker.trackBatch(events, options));
  }

  /**
   * Sends 1 to 1,000 events in one request, without waiting. Cancelling the result ends the call.
   *
   * @param events the events
   * @return one result for each event; it fails as {@link #track(TrackEvent)} does
   */
  public CompletableFuture<BatchAnswer> trackBatchAsync(List<TrackEvent> events) {
    return trackBatchAsync(events, TrackOptions.none());
  }

  /**
   * Sends 1 to 1,000 events in one request, without waiting, with options.
   *
   * @param events the events
   * @param options the options of this call
   * @return as {@link #trackBatchAsync(List)}
   */
  public CompletableFuture<BatchAnswer> trackBatchAsync(
      List<TrackEvent> events, TrackOptions options) {
    return tracker.trackBatch(events, options);
  }

  /**
   * Calls another route of the API, with retries as {@link #track(TrackEvent)}.
   *
   * @param method GET, POST, PUT, PATCH or DELETE
   * @param path the path with its query, such as {@code /v1/deliveries?limit=100}
   * @param body what is sent as JSON; null for nothing
   * @return the answer; of an export its CSV as a text; a JSON null when it is empty
   * @throws IOException as {@link #track(TrackEvent)}
   * @throws IllegalArgumentException for another method or path, or a body that is no JSON
   */
  public JsonNode request(String method, String path, Object body) throws IOException {
    return Sender.await(requestAsync(method, path, body));
  }

  /**
   * Calls another route of the API without waiting.
   *
   * @param method as {@link #request}
   * @param path as {@link #request}
   * @param body as {@link #request}
   * @return the answer; it fails as {@link #request} does
   */
  public CompletableFuture<JsonNode> requestAsync(String method, String path, Object body) {
    Sender.Call call = Requests.of(method, path, body, binder);
    return sender.send(call, TrackOptions.none(), Sender.Sent::body);
  }

  /**
   * Signs a call of an enricher as the service does, for tests of your own.
   *
   * @param webhookSigningSecret {@code whsec_…}, that of the client that answers
   * @param name the name of the enricher
   * @param params what is written as JSON; null is {@code {}}, as of a step without params
   * @return the body of the call, for {@link #dispatch(Object)} or a request to your server
   * @throws IllegalArgumentException for an invalid secret, or params that are no JSON
   */
  public static String signEnricherCall(String webhookSigningSecret, String name, Object params) {
    return signEnricherCall(webhookSigningSecret, name, params, Map.of(), Map.of());
  }

  /**
   * Signs a call of an enricher with its user and event.
   *
   * @param webhookSigningSecret {@code whsec_…}, that of the client that answers
   * @param name the name of the enricher
   * @param params what is written as JSON; null is {@code {}}, as of a step without params
   * @param user what {@link EnricherContext#user} is
   * @param event what {@link EnricherContext#event} is
   * @return as {@link #signEnricherCall(String, String, Object)}
   */
  public static String signEnricherCall(
      String webhookSigningSecret, String name, Object params, Object user, Object event) {
    return TestCall.sign(webhookSigningSecret, name, params, user, event);
  }

  /**
   * Computes a token for this user's {@code <notification-center>} that does not expire. Prefer
   * {@link #generateHashedToken(String, Instant)}.
   *
   * @param userId 1 to 256 characters without control characters
   * @return the token
   * @throws IllegalArgumentException for another user id
   */
  public String generateHashedToken(String userId) {
    return Tokens.create(authSecretKey, userId);
  }

  /**
   * Computes a token for a user whose id is a number, as {@link #generateHashedToken(String)}.
   *
   * @param userId the id, signed as its digits
   * @return the token
   */
  public String generateHashedToken(long userId) {
    return generateHashedToken(Long.toString(userId));
  }

  /**
   * Computes a token that expires for a user whose id is a number.
   *
   * @param userId the id, signed as its digits
   * @param expiresAt the end of the token, to the second
   * @return the token
   */
  public String generateHashedToken(long userId, Instant expiresAt) {
    return generateHashedToken(Long.toString(userId), expiresAt);
  }

  /**
   * Computes a token for this user's {@code <notification-center>} that expires.
   *
   * @param userId 1 to 256 characters without control characters
   * @param expiresAt the end of the token, to the second
   * @return the token
   * @throws IllegalArgumentException for another user id, or an instant before 1970
   */
  public String generateHashedToken(String userId, Instant expiresAt) {
    return Tokens.create(authSecretKey, userId, expiresAt);
  }

  /**
   * Registers the handler of an enricher. The schema checks the params first.
   *
   * @param name a name that is not taken
   * @param schema a schema of the SDK, or one of your own
   * @param handler receives what the schema returns
   * @param <P> the type of the params
   * @return this client
   * @throws EnricherRegistrationException for an empty or taken name, no schema, or no handler
   */
  public <P> NotificationClient enricher(
      String name, ParamsSchema<P> schema, EnricherHandler<? super P> handler) {
    dispatcher.register(name, schema, handler);
    return this;
  }

  /**
   * Registers the handler of an enricher whose params Jackson binds to a class.
   *
   * @param name a name that is not taken
   * @param type a class or a record, with Jackson's annotations
   * @param handler receives an instance of the class
   * @param <P> the type of the params
   * @return this client
   * @throws EnricherRegistrationException for an empty or taken name, no type, or no handler
   */
  public <P> NotificationClient enricher(
      String name, Class<P> type, EnricherHandler<? super P> handler) {
    return enricher(name, type == null ? null : ParamsSchema.of(type), handler);
  }

  /**
   * Answers one call of the service by the copies of the headers in the body. Never throws.
   *
   * @param body the body: text, bytes, a {@code JsonNode}, or maps and lists
   * @return the answer
   */
  public DispatchResponse dispatch(Object body) {
    return dispatch(body, DispatchOptions.none());
  }

  /**
   * Answers one call of the service: verifies the body, validates the params, and runs the handler.
   * Never throws.
   *
   * @param body the body: text, bytes, a {@code JsonNode}, or maps and lists
   * @param options headers and {@code name} of the request, which go before the copies in the body
   * @return the answer; {@link DispatchResponse#status} is the HTTP status to answer with
   */
  public DispatchResponse dispatch(Object body, DispatchOptions options) {
    return dispatcher.dispatch(body, options);
  }

  /** Returns the address of the service, and no secret. */
  @Override
  public String toString() {
    return "NotificationClient[" + baseUrl + "]";
  }
}
