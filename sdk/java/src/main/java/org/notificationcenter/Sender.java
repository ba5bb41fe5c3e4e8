package org.notificationcenter;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Sends one call to the service: the same bytes up to three times, each attempt within its time
 * limit.
 */
final class Sender {
  /** One call: its body may be null, its key is that of the header or null. */
  record Call(
      String method, String path, byte[] body, String key, Predicate<JsonNode> isAnswer) {}

  /** An answer of the service with the correlation id of its header, or null. */
  record Sent(JsonNode body, String correlationId) {}

  /** A wait that ends so late shows that the process stood still. */
  private static final long STALL_MS = 100;

  /** Time that a process which stood still gets to read an answer. */
  private static final long READ_MS = 2000;

  private static final String USER_AGENT =
      "notification-center-java/" + Settings.VERSION + " java/" + Runtime.version().feature();

  private final HttpClient http;
  private final String url;
  private final String sdkSecretKey;
  private final long timeoutMs;
  private final List<Long> retryDelaysMs;
  private final Retry retry;
  private final Consumer<? super FailedAttempt> onAttempt;

  Sender(NotificationClientBuilder options, String url, String sdkSecretKey) {
    this.http = options.createHttpClient();
    this.url = url;
    this.sdkSecretKey = sdkSecretKey;
    this.timeoutMs = options.timeoutMs;
    this.retryDelaysMs = options.retryDelaysMs;
    this.retry = options.retry;
    this.onAttempt = options.onAttempt;
  }

  String sdkSecretKey() {
    return sdkSecretKey;
  }

  /** Waits for a call. An interrupt ends it. */
  static <T> T await(CompletableFuture<T> call) throws IOException {
    try {
      return call.get();
    } catch (InterruptedException error) {
      call.cancel(true);
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("The tracking call was interrupted.");
    } catch (ExecutionException error) {
      if (error.getCause() instanceof IOException cause) throw cause;
      throw new IOException("The request failed.", error.getCause());
    }
  }

  /**
   * Sends without waiting. Retries after every failure, including permanent ones, because the three
   * SDKs agree on it, or only after those that may pass. Cancelling the result ends the call.
   */
  <T> CompletableFuture<T> send(Call call, TrackOptions options, Function<Sent, T> read) {
    return new Run<>(call, options, read).start();
  }

  /** The attempts of one call. */
  private final class Run<T> {
    private final CompletableFuture<T> result = new CompletableFuture<>();
    private final Call call;
    private final HttpRequest request;
    private final Function<Sent, T> read;
    private final long limitMs;
    private volatile CompletableFuture<?> current;

    Run(Call call, TrackOptions options, Function<Sent, T> read) {
      this.call = call;
      this.read = read;
      request = createRequest(call, options);
      limitMs = options.timeoutMs() == null ? timeoutMs : options.timeoutMs();
    }

    CompletableFuture<T> start() {
      attempt(0);
      // Closes the connection of an attempt that has not ended; else it does nothing.
      result.whenComplete((answer, error) -> current.cancel(true));
      return result;
    }

    private void attempt(int attempt) {
      // Not HttpRequest.timeout: that limit ends with the head of the answer.
      CompletableFuture<HttpResponse<byte[]>> answer =
          http.sendAsync(request, HttpResponse.BodyHandlers.ofByteArray());
      current = answer;
      CompletableFuture<T> ended = new CompletableFuture<>();
      answer.whenComplete((response, error) -> complete(ended, response, error));
      CompletableFuture<?> limit = limit(ended, limitMs);
      ended.whenComplete(
          (sent, error) -> {
            limit.cancel(true);
            if (error == null) result.complete(sent);
            else failed(attempt, error, answer);
          });
      if (result.isDone()) answer.cancel(true);
    }

    private void complete(
        CompletableFuture<T> ended, HttpResponse<byte[]> response, Throwable error) {
      try {
        if (error != null) ended.completeExceptionally(toIoException(error));
        else ended.complete(read.apply(readAnswer(call, response)));
      } catch (IOException | RuntimeException refusal) {
        ended.completeExceptionally(refusal);
      }
    }

    /** Ends an attempt. A process that stood still first reads what has arrived meanwhile. */
    private CompletableFuture<?> limit(CompletableFuture<T> ended, long delayMs) {
      long begun = System.nanoTime();
      return after(
          delayMs,
          () -> {
            long lateMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun) - delayMs;
            if (lateMs >= STALL_MS && delayMs == limitMs) limit(ended, READ_MS);
            else
              ended.completeExceptionally(
                  new HttpTimeoutException("No answer within " + limitMs + " ms."));
          });
    }

    private void failed(int attempt, Throwable error, CompletableFuture<?> answer) {
      answer.cancel(true);
      if (result.isDone()) return;
      boolean isLast = attempt >= retryDelaysMs.size() || !retry.repeats(error);
      Long delayMs = isLast ? null : retryDelaysMs.get(attempt);
      report(new FailedAttempt(attempt + 1, error, delayMs));
      if (delayMs == null) result.completeExceptionally(error);
      else current = after(delayMs, () -> attempt(attempt + 1));
      if (result.isDone()) current.cancel(true);
    }
  }

  private static CompletableFuture<?> after(long delayMs, Runnable then) {
    return CompletableFuture.runAsync(
        then, CompletableFuture.delayedExecutor(delayMs, TimeUnit.MILLISECONDS));
  }

  private void report(FailedAttempt failed) {
    try {
      onAttempt.accept(failed);
    } catch (RuntimeException ignored) {
      // The listener failed; the call goes on.
    }
  }

  private static IOException toIoException(Throwable error) {
    Throwable cause = error instanceof CompletionException ? error.getCause() : error;
    if (cause instanceof IOException known) return known;
    if (cause instanceof CancellationException) return new InterruptedIOException("Cancelled.");
    return new IOException("The request failed.", cause);
  }

  private HttpRequest createRequest(Call call, TrackOptions options) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url + call.path()))
            .header("authorization", "Bearer " + sdkSecretKey)
            .header("user-agent", USER_AGENT);
    if (call.body() == null) {
      request.method(call.method(), HttpRequest.BodyPublishers.noBody());
    } else {
      request
          .header("content-type", "application/json")
          .method(call.method(), HttpRequest.BodyPublishers.ofByteArray(call.body()));
    }
    if (call.key() != null) request.header("idempotency-key", call.key());
    if (options.correlationId() != null)
      request.header("x-correlation-id", options.correlationId());
    return request.build();
  }

  private Sent readAnswer(Call call, HttpResponse<byte[]> response)
      throws NotificationRequestException {
    int status = response.statusCode();
    String text = new String(response.body(), StandardCharsets.UTF_8);
    String correlationId = response.headers().firstValue("x-correlation-id").orElse(null);
    if (status < 200 || status > 299) {
      // An answer may echo the request, and errors are logged.
      String shown = text.replace(sdkSecretKey.strip(), "[sdkSecretKey]");
      throw NotificationRequestException.of(status, shown, correlationId);
    }
    boolean isCsv =
        response.headers().firstValue("content-type").orElse("").matches("(?i)text/csv\\b.*");
    JsonNode body =
        text.isEmpty()
            ? Json.MAPPER.nullNode()
            : isCsv ? Json.MAPPER.getNodeFactory().textNode(text) : Json.tryParse(text);
    if (body != null && call.isAnswer().test(body)) return new Sent(body, correlationId);
    throw NotificationRequestException.ofStranger(status);
  }
}
