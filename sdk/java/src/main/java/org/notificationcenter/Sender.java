package org.notificationcenter;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

/**
 * Sends one call to the service: the same bytes up to three times, each attempt within its time
 * limit.
 */
final class Sender {
  /** A tracking route: its path, and whether an object is its answer. */
  record Route(String path, Predicate<JsonNode> isAnswer) {}

  /** An answer of the service with the correlation id of its header, or null. */
  record Sent(JsonNode body, String correlationId) {}

  /** A wait that ends so late shows that the process stood still. */
  private static final long STALL_MS = 100;

  /** Time that a process which stood still gets to read an answer. */
  private static final long READ_MS = 2000;

  private final HttpClient http;
  private final String url;
  private final String sdkSecretKey;
  private final long timeoutMs;
  private final List<Long> retryDelaysMs;

  Sender(
      HttpClient http, String url, String sdkSecretKey, long timeoutMs, List<Long> retryDelaysMs) {
    this.http = http;
    this.url = url;
    this.sdkSecretKey = sdkSecretKey;
    this.timeoutMs = timeoutMs;
    this.retryDelaysMs = retryDelaysMs;
  }

  /**
   * Retries after every failure, including permanent ones, because the three SDKs agree on it. An
   * interrupt ends it.
   */
  Sent send(Route route, ObjectNode body, TrackOptions options) throws IOException {
    HttpRequest request = createRequest(route, body, options);
    long limitMs = options.timeoutMs() == null ? timeoutMs : options.timeoutMs();
    try {
      for (int attempt = 0; ; attempt++) {
        try {
          return attemptOnce(route, request, limitMs);
        } catch (IOException error) {
          if (attempt >= retryDelaysMs.size()) throw error;
          Thread.sleep(retryDelaysMs.get(attempt));
        }
      }
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("The tracking call was interrupted.");
    }
  }

  private HttpRequest createRequest(Route route, ObjectNode body, TrackOptions options) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url + route.path()))
            .header("authorization", "Bearer " + sdkSecretKey)
            .header("content-type", "application/json")
            .POST(
                HttpRequest.BodyPublishers.ofByteArray(
                    toBytes(body.put("sdkSecretKey", sdkSecretKey))));
    if (options.correlationId() != null)
      request.header("x-correlation-id", options.correlationId());
    return request.build();
  }

  private static byte[] toBytes(ObjectNode body) {
    try {
      return Json.MAPPER.writeValueAsBytes(body);
    } catch (JsonProcessingException error) {
      // Without a cause: the error of Jackson may quote the body, and with it the key.
      throw new IllegalArgumentException("The event cannot be written as JSON.");
    }
  }

  private Sent attemptOnce(Route route, HttpRequest request, long limitMs)
      throws IOException, InterruptedException {
    // Not HttpRequest.timeout: that limit ends with the head of the answer.
    CompletableFuture<HttpResponse<byte[]>> answer =
        http.sendAsync(request, HttpResponse.BodyHandlers.ofByteArray());
    try {
      return readAnswer(route, await(answer, limitMs));
    } catch (TimeoutException error) {
      throw new HttpTimeoutException("No answer within " + limitMs + " ms.");
    } catch (ExecutionException error) {
      if (error.getCause() instanceof IOException cause) throw cause;
      throw new IOException("The request failed.", error.getCause());
    } finally {
      // Closes the connection of an attempt that has not ended; else it does nothing.
      answer.cancel(true);
    }
  }

  /** Waits for the answer. A process that stood still first reads what has arrived meanwhile. */
  private static <T> T await(CompletableFuture<T> answer, long limitMs)
      throws InterruptedException, ExecutionException, TimeoutException {
    long begun = System.nanoTime();
    try {
      return answer.get(limitMs, TimeUnit.MILLISECONDS);
    } catch (TimeoutException error) {
      long lateMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun) - limitMs;
      if (lateMs < STALL_MS) throw error;
      return answer.get(READ_MS, TimeUnit.MILLISECONDS);
    }
  }

  private Sent readAnswer(Route route, HttpResponse<byte[]> response)
      throws NotificationRequestException {
    int status = response.statusCode();
    String text = new String(response.body(), StandardCharsets.UTF_8);
    String correlationId = response.headers().firstValue("x-correlation-id").orElse(null);
    if (status < 200 || status > 299) {
      // An answer may echo the request, and errors are logged.
      String shown = text.replace(sdkSecretKey.strip(), "[sdkSecretKey]");
      throw NotificationRequestException.of(status, shown, correlationId);
    }
    JsonNode body = Json.tryParse(text);
    if (body != null && body.isObject() && route.isAnswer().test(body))
      return new Sent(body, correlationId);
    throw NotificationRequestException.ofStranger(status);
  }
}
