package org.notificationcenter;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Keeps the enrichers of one client, and answers a call in every case: verifies, finds, validates
 * and runs the handler.
 */
final class Dispatcher {
  /** The service refuses a longer answer; a check here can report the reason. */
  private static final int MAX_DATA_BYTES = 1024 * 1024 - 1024;

  private record Enricher<P>(ParamsSchema<P> schema, EnricherHandler<? super P> handler) {}

  private final Map<String, Enricher<?>> enrichers = new ConcurrentHashMap<>();

  /** Null when the client has no signing secret. */
  private final List<byte[]> signingKeys;

  private final Binder binder;
  private final Clock clock;
  private final Consumer<? super EnricherException> onError;

  Dispatcher(
      List<byte[]> signingKeys,
      Binder binder,
      Clock clock,
      Consumer<? super EnricherException> onError) {
    this.signingKeys = signingKeys;
    this.binder = binder;
    this.clock = clock;
    this.onError = onError;
  }

  <P> void register(String name, ParamsSchema<P> schema, EnricherHandler<? super P> handler) {
    if (name == null || name.isBlank()) {
      throw new EnricherRegistrationException("An enricher needs a name that is not empty.");
    }
    if (handler == null)
      throw new EnricherRegistrationException("The enricher \"" + name + "\" has no handler.");
    if (schema == null)
      throw new EnricherRegistrationException("The enricher \"" + name + "\" has no schema.");
    if (schema instanceof BoundSchema<?> bound) bound.check(binder);
    if (enrichers.putIfAbsent(name, new Enricher<>(schema, handler)) != null) {
      throw new EnricherRegistrationException(
          "The enricher \"" + name + "\" is registered already.");
    }
  }

  /**
   * Answers, whatever happens; errors of the virtual machine such as a stack overflow are failures
   * as well.
   */
  DispatchResponse dispatch(Object body, DispatchOptions options) {
    try {
      return answer(body, options == null ? DispatchOptions.none() : options);
    } catch (Throwable thrown) {
      EnricherException error =
          thrown instanceof EnricherException known
              ? known
              : new EnricherException("The dispatch failed.", thrown);
      report(error);
      return DispatchResponse.failure(error);
    }
  }

  private DispatchResponse answer(Object body, DispatchOptions options) {
    long begun = System.nanoTime();
    if (signingKeys == null)
      throw new EnricherException("This client has no webhookSigningSecret.", null);
    Envelope.SignedCall call = Envelope.open(signingKeys, body, options, clock.instant());
    Enricher<?> enricher = enrichers.get(call.name());
    if (enricher == null) throw new EnricherNotFoundException(call.name());
    JsonNode data = ask(enricher, call);
    return DispatchResponse.success(
        data, call.name(), TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun));
  }

  /**
   * Validates the params, runs the handler, and returns its result as the service will parse it.
   */
  private <P> JsonNode ask(Enricher<P> enricher, Envelope.SignedCall call) {
    P params = parse(enricher.schema(), call);
    EnricherContext context =
        new EnricherContext(call.name(), call.id(), call.user(), call.event(), call.sentAt());
    byte[] bytes;
    JsonNode data;
    try {
      Object answer = enricher.handler().handle(params, context);
      // Written as an object, a future would be its own state in place of its value.
      if (answer instanceof Future<?> later) answer = later.get();
      data = binder.toTree(answer);
      if (data == null) data = Json.MAPPER.nullNode();
      bytes = Json.MAPPER.writeValueAsBytes(data);
    } catch (Throwable error) {
      if (error instanceof InterruptedException) Thread.currentThread().interrupt();
      Throwable cause = error instanceof ExecutionException ? error.getCause() : error;
      throw new EnricherHandlerException("The enricher \"" + call.name() + "\" failed.", cause);
    }
    if (bytes.length > MAX_DATA_BYTES) {
      IllegalStateException cause = new IllegalStateException("The answer is longer than 1 MiB.");
      throw new EnricherHandlerException(
          "The enricher \"" + call.name() + "\" answered more than 1 MiB.", cause);
    }
    // A tree may hold nodes that only the writer turns into JSON, such as objects and bytes.
    return Json.parseExact(new String(bytes, StandardCharsets.UTF_8));
  }

  private <P> P parse(ParamsSchema<P> schema, Envelope.SignedCall call) {
    try {
      return schema instanceof BoundSchema<P> bound
          ? bound.parse(call.params(), binder)
          : schema.parse(call.params(), binder.mapper());
    } catch (InvalidParamsException error) {
      throw new EnricherInputValidationException(call.name(), error.issues());
    }
  }

  /** Reports a failure. The listener's own failure does not change the answer. */
  private void report(EnricherException error) {
    try {
      onError.accept(error);
    } catch (Throwable ignored) {
      // The listener failed.
    }
  }
}
