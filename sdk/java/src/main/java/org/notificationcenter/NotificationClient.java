package org.notificationcenter;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Represents one environment of the service. Thread-safe; one client serves the whole process. It
 * keeps connections open as {@link HttpClient} does, and needs no closing.
 *
 * <pre>{@code
 * NotificationClient client = NotificationClient.builder()
 *     .authSecretKey(System.getenv("AUTH_SECRET_KEY"))
 *     .sdkSecretKey(System.getenv("SDK_SECRET_KEY"))
 *     .build();
 * client.track(TrackEvent.named("order.shipped").userId("u_42"));
 * String token = client.generateHashedToken("u_42");
 * }</pre>
 */
public final class NotificationClient {
  private final String baseUrl;
  private final byte[] authSecretKey;
  private final Tracker tracker;
  private final Dispatcher dispatcher;

  private NotificationClient(Builder options) {
    String key = Settings.parseText(options.authSecretKey, "authSecretKey");
    String sdkSecretKey = Settings.parseKey(options.sdkSecretKey);
    List<byte[]> signingKeys =
        options.hasSigningSecret
            ? Signature.decodeSecret(
                Settings.parseText(options.webhookSigningSecret, "webhookSigningSecret"))
            : null;
    baseUrl = Settings.parseUrl(options.baseUrl);
    authSecretKey = key.getBytes(StandardCharsets.UTF_8);
    ObjectMapper binder = options.objectMapper == null ? Json.createBinder() : options.objectMapper;
    tracker =
        new Tracker(
            new Sender(
                options.createHttpClient(),
                baseUrl,
                sdkSecretKey,
                options.timeoutMs,
                options.retryDelaysMs),
            binder);
    dispatcher = new Dispatcher(signingKeys, binder, options.clock, options.onEnricherError);
  }

  /**
   * Begins a client.
   *
   * @return a builder; {@code authSecretKey} and {@code sdkSecretKey} are needed
   */
  public static Builder builder() {
    return new Builder();
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
   * @throws IllegalArgumentException when the event cannot be written as JSON; then nothing was
   *     sent
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
   * @throws IllegalArgumentException as {@link #track(TrackEvent)}
   */
  public TrackAnswer track(TrackEvent event, TrackOptions options) throws IOException {
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
   * @throws IllegalArgumentException as {@link #trackBatch(List)}
   */
  public BatchAnswer trackBatch(List<TrackEvent> events, TrackOptions options) throws IOException {
    return tracker.trackBatch(events, options);
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
   * @param schema a {@link JsonSchema}, or a schema of your own
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

  /** Collects the options of a client. Not thread-safe. */
  public static final class Builder {
    private String authSecretKey;
    private String sdkSecretKey;
    private String webhookSigningSecret;
    private boolean hasSigningSecret;
    private String baseUrl = Settings.DEFAULT_URL;
    private long timeoutMs = Settings.DEFAULT_TIMEOUT_MS;
    private List<Long> retryDelaysMs = Settings.DEFAULT_RETRY_DELAYS_MS;
    private HttpClient httpClient;
    private ProxySelector proxy;
    private ObjectMapper objectMapper;
    private Clock clock = Clock.systemUTC();
    private Consumer<? super EnricherException> onEnricherError = error -> {};

    private Builder() {}

    /**
     * Sets the key that user tokens are computed with. It never leaves this process.
     *
     * @param authSecretKey {@code nc_auth_…}
     * @return this builder
     */
    public Builder authSecretKey(String authSecretKey) {
      this.authSecretKey = authSecretKey;
      return this;
    }

    /**
     * Sets the key that is sent with each tracked event. It names the environment.
     *
     * @param sdkSecretKey {@code nc_sdk_…}
     * @return this builder
     */
    public Builder sdkSecretKey(String sdkSecretKey) {
      this.sdkSecretKey = sdkSecretKey;
      return this;
    }

    /**
     * Sets the secret that {@link NotificationClient#dispatch} needs. Without it every dispatch
     * fails as {@code internal}.
     *
     * @param webhookSigningSecret {@code whsec_…}, or null for none
     * @return this builder
     */
    public Builder webhookSigningSecret(String webhookSigningSecret) {
      this.webhookSigningSecret = webhookSigningSecret;
      this.hasSigningSecret = webhookSigningSecret != null;
      return this;
    }

    /**
     * Sets the address of the service.
     *
     * @param baseUrl an http or https address; default {@code http://127.0.0.1:3000}
     * @return this builder
     */
    public Builder baseUrl(String baseUrl) {
      this.baseUrl = baseUrl;
      return this;
    }

    /**
     * Sets the limit for one attempt of a tracking call, to the last byte of its answer.
     *
     * @param timeoutMs milliseconds; default 10,000
     * @return this builder
     * @throws IllegalArgumentException for a number below 0 or above 2,147,483,647
     */
    public Builder timeoutMs(long timeoutMs) {
      this.timeoutMs = Settings.parseTimer(timeoutMs, "timeoutMs");
      return this;
    }

    /**
     * Sets the pauses before the second attempt, the third, and so on.
     *
     * @param retryDelaysMs milliseconds; default 1,000 and 2,000; none for no retry
     * @return this builder
     * @throws IllegalArgumentException for a number below 0 or above 2,147,483,647
     */
    public Builder retryDelaysMs(long... retryDelaysMs) {
      List<Long> delays = Arrays.stream(retryDelaysMs).boxed().toList();
      for (long delay : delays) Settings.parseTimer(delay, "retryDelaysMs");
      this.retryDelaysMs = delays;
      return this;
    }

    /**
     * Sets the HTTP client, for TLS, authentication at a proxy, or an executor of your own. It must
     * not follow redirects, because a redirect must not receive the key.
     *
     * @param httpClient the client
     * @return this builder
     */
    public Builder httpClient(HttpClient httpClient) {
      this.httpClient = httpClient;
      return this;
    }

    /**
     * Sets the proxies. Default: those of the system ({@code https.proxyHost} and others).
     *
     * @param proxy such as {@code ProxySelector.of(new InetSocketAddress("proxy", 3128))}
     * @return this builder
     */
    public Builder proxy(ProxySelector proxy) {
      this.proxy = proxy;
      return this;
    }

    /**
     * Sets the mapper for your own classes: properties of events, params and results of handlers.
     *
     * @param objectMapper the mapper, which must not change afterwards
     * @return this builder
     */
    public Builder objectMapper(ObjectMapper objectMapper) {
      this.objectMapper = objectMapper;
      return this;
    }

    /**
     * Sets the clock that the age of enricher calls is judged by. For tests.
     *
     * @param clock the clock
     * @return this builder
     */
    public Builder clock(Clock clock) {
      this.clock = Objects.requireNonNull(clock, "clock");
      return this;
    }

    /**
     * Sets the listener of failed dispatches, with the cause that is not sent to the service. What
     * it throws is ignored.
     *
     * @param onEnricherError receives the error
     * @return this builder
     */
    public Builder onEnricherError(Consumer<? super EnricherException> onEnricherError) {
      this.onEnricherError = Objects.requireNonNull(onEnricherError, "onEnricherError");
      return this;
    }

    /**
     * Creates the client.
     *
     * @return the client
     * @throws IllegalArgumentException for an invalid option, with its name and without its value
     */
    public NotificationClient build() {
      return new NotificationClient(this);
    }

    private HttpClient createHttpClient() {
      if (httpClient != null && proxy != null) {
        throw new IllegalArgumentException(
            "proxy must not be set beside httpClient, which has its own.");
      }
      if (httpClient != null && httpClient.followRedirects() != HttpClient.Redirect.NEVER) {
        throw new IllegalArgumentException("httpClient must not follow redirects.");
      }
      if (httpClient != null) return httpClient;
      HttpClient.Builder builder =
          HttpClient.newBuilder()
              .version(HttpClient.Version.HTTP_1_1)
              .followRedirects(HttpClient.Redirect.NEVER);
      if (proxy != null) builder.proxy(proxy);
      return builder.build();
    }
  }
}
