package org.notificationcenter.httpserver;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import org.notificationcenter.EnricherEndpoint;
import org.notificationcenter.NotificationClient;

/**
 * Answers the enricher calls of one path on the HTTP server of the JDK: {@code
 * server.createContext("/enrichers", new EnricherHttpHandler(client))}.
 */
public final class EnricherHttpHandler implements HttpHandler {
  private final EnricherEndpoint endpoint;

  /**
   * Creates the handler.
   *
   * @param client the client with its enrichers
   */
  public EnricherHttpHandler(NotificationClient client) {
    this.endpoint = new EnricherEndpoint(client);
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      EnricherEndpoint.Answer answer =
          endpoint.answer(
              exchange.getRequestMethod(),
              exchange.getRequestURI().getRawQuery(),
              exchange.getRequestHeaders()::get,
              exchange.getRequestBody());
      answer.headers().forEach(exchange.getResponseHeaders()::set);
      exchange.sendResponseHeaders(answer.status(), answer.body().length);
      exchange.getResponseBody().write(answer.body());
    }
  }
}
