package org.notificationcenter;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Collects the options of a client and checks them. Not thread-safe. It has no accessor that shows
 * a secret.
 */
public final class NotificationClientBuilder {
  // Transient: programs that write or print an object by its fields leave these out.
  transient String authSecretKey;
  transient String sdkSecretKey;
  transient String webhookSigningSecret;
  private boolean hasSigningSecret;
  String baseUrl;
  long timeoutMs = Settings.DEFAULT_TIMEOUT_MS;
  List<Long> retryDelaysMs = Settings.DEFAULT_RETRY_DELAYS_MS;
  private HttpClient httpClient;
  private ProxySelector proxy;
  private ObjectMapper objectMapper;
  private Jackson3 jackson3;
  Retry retry = Retry.ALWAYS;
  Consumer<? super FailedAttempt> onAttempt = failed -> {};
  Clock clock = Clock.systemUTC();
  Consumer<? super EnricherException> onEnricherError = error -> {};

  NotificationClientBuilder() {}

  /**
   * Sets the key that user tokens are computed with. It never leaves this process.
   *
   * @param authSecretKey {@code nc_auth_…}
   * @return this builder
   */
  public NotificationClientBuilder authSecretKey(String authSecretKey) {
    this.authSecretKey = authSecretKey;
    return this;
  }

  /**
   * Sets the key that is sent with each tracked event. It names the environment.
   *
   * @param sdkSecretKey {@code nc_sdk_…}
   * @return this builder
   */
  public NotificationClientBuilder sdkSecretKey(String sdkSecretKey) {
    this.sdkSecretKey = sdkSecretKey;
    return this;
  }

  /**
   * Sets the secret that {@link NotificationClient#dispatch} needs. Without it every dispatch fails
   * as {@code internal}.
   *
   * @param webhookSigningSecret {@code whsec_…}, or null for none
   * @return this builder
   */
  public NotificationClientBuilder webhookSigningSecret(String webhookSigningSecret) {
    this.webhookSigningSecret = webhookSigningSecret;
    this.hasSigningSecret = webhookSigningSecret != null;
    return this;
  }

  /**
   * Sets the address of the service.
   *
   * @param baseUrl an http or https address; default that of the environment variable {@code
   *     NOTIFICATION_CENTER_URL}
   * @return this builder
   */
  public NotificationClientBuilder baseUrl(String baseUrl) {
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
  public NotificationClientBuilder timeoutMs(long timeoutMs) {
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
  public NotificationClientBuilder retryDelaysMs(long... retryDelaysMs) {
    List<Long> delays = Arrays.stream(retryDelaysMs).boxed().toList();
    for (long delay : delays) Settings.parseTimer(delay, "retryDelaysMs");
    this.retryDelaysMs = delays;
    return this;
  }

  /**
   * Sets the failures after which a call is repeated.
   *
   * @param retry default {@link Retry#ALWAYS}
   * @return this builder
   */
  public NotificationClientBuilder retry(Retry retry) {
    this.retry = Objects.requireNonNull(retry, "retry");
    return this;
  }

  /**
   * Sets the listener of failed attempts. It must return soon; what it throws is ignored.
   *
   * @param onAttempt receives each failed attempt
   * @return this builder
   */
  public NotificationClientBuilder onAttempt(Consumer<? super FailedAttempt> onAttempt) {
    this.onAttempt = Objects.requireNonNull(onAttempt, "onAttempt");
    return this;
  }

  /**
   * Sets the HTTP client, for TLS, authentication at a proxy, or an executor of your own. It must
   * not follow redirects, because a redirect must not receive the key.
   *
   * @param httpClient the client
   * @return this builder
   */
  public NotificationClientBuilder httpClient(HttpClient httpClient) {
    this.httpClient = httpClient;
    return this;
  }

  /**
   * Sets the proxies. Default: those of the system ({@code https.proxyHost} and others).
   *
   * @param proxy such as {@code ProxySelector.of(new InetSocketAddress("proxy", 3128))}
   * @return this builder
   */
  public NotificationClientBuilder proxy(ProxySelector proxy) {
    this.proxy = proxy;
    return this;
  }

  /**
   * Sets the mapper for your own classes: properties of events, params and results of handlers.
   *
   * @param objectMapper the mapper, which must not change afterwards
   * @return this builder
   */
  public NotificationClientBuilder objectMapper(ObjectMapper objectMapper) {
    this.objectMapper = objectMapper;
    return this;
  }

  /**
   * Sets a mapper of Jackson 3 for your own classes, in place of one of Jackson 2.
   *
   * @param jackson3 the mapper
   * @return this builder
   */
  public NotificationClientBuilder jackson3(Jackson3 jackson3) {
    this.jackson3 = jackson3;
    return this;
  }

  /**
   * Sets the clock that the age of enricher calls is judged by. For tests.
   *
   * @param clock the clock
   * @return this builder
   */
  public NotificationClientBuilder clock(Clock clock) {
    this.clock = Objects.requireNonNull(clock, "clock");
    return this;
  }

  /**
   * Sets the listener of failed dispatches, with the cause that is not sent to the service. What it
   * throws is ignored.
   *
   * @param onEnricherError receives the error
   * @return this builder
   */
  public NotificationClientBuilder onEnricherError(
      Consumer<? super EnricherException> onEnricherError) {
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

  /** Returns the keys that verify calls; null without a secret. */
  List<byte[]> signingKeys() {
    return hasSigningSecret
        ? Signature.decodeSecret(Settings.parseText(webhookSigningSecret, "webhookSigningSecret"))
        : null;
  }

  Binder createBinder() {
    if (jackson3 != null && objectMapper != null)
      throw new IllegalArgumentException("jackson3 must not be set beside objectMapper.");
    if (jackson3 != null) return jackson3.binder;
    return objectMapper == null
        ? Jackson2Binder.createDefault()
        : new Jackson2Binder(objectMapper);
  }

  HttpClient createHttpClient() {
    if (httpClient != null && proxy != null) {
      throw new IllegalArgumentException(
          "proxy must not be set beside httpClient, which has its own.");
    }
    if (httpClient != null && httpClient.followRedirects() != HttpClient.Redirect.NEVER) {
      throw new IllegalArgumentException("httpClient must not follow redirects.");
    }
    if (httpClient != null) return httpClient;
    return proxy == null ? Shared.HTTP : newHttpClient().proxy(proxy).build();
  }

  private static HttpClient.Builder newHttpClient() {
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .followRedirects(HttpClient.Redirect.NEVER);
  }

  /** One client for all, because each has a thread and a pool of connections of its own. */
  private static final class Shared {
    static final HttpClient HTTP = newHttpClient().build();
  }
}
