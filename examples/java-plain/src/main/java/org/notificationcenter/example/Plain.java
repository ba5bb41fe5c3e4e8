package org.notificationcenter.example;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.notificationcenter.NotificationClient;
import org.notificationcenter.TrackAnswer;
import org.notificationcenter.TrackEvent;
import org.notificationcenter.httpserver.EnricherHttpHandler;

/** Tracks an event, computes a token, and answers enrichers on the HTTP server of the JDK. */
public final class Plain {
  record OrderParams(String orderId) {}

  private Plain() {}

  /** Runs until it is ended; with the argument {@code --once} until the event is tracked. */
  public static void main(String[] args) throws IOException {
    NotificationClient client =
        NotificationClient.builder()
            .authSecretKey(System.getenv("AUTH_SECRET_KEY"))
            .sdkSecretKey(System.getenv("SDK_SECRET_KEY"))
            .webhookSigningSecret(System.getenv("WEBHOOK_SIGNING_SECRET"))
            .baseUrl(System.getenv().getOrDefault("NOTIFICATION_URL", "http://127.0.0.1:3000"))
            .onEnricherError(error -> error.printStackTrace())
            .build();

    // A campaign on that name turns the event into notifications.
    TrackAnswer answer =
        client.track(
            TrackEvent.named("order.shipped")
                .userId("u_42")
                .properties(Map.of("orderId", "A-1042")));
    System.out.println("stored: " + answer.eventId());

    // The page of that user needs a token for <notification-center>. A token is a secret: give it
    // to that page alone.
    String token = client.generateHashedToken("u_42", Instant.now().plus(Duration.ofHours(1)));
    System.out.println("characters of the token: " + token.length());

    // A campaign asks for data while it runs.
    client.enricher(
        "order-details",
        OrderParams.class,
        (params, context) ->
            Map.of("orderId", params.orderId(), "total", 42, "user", context.user().get("id")));
    HttpServer server = HttpServer.create(new InetSocketAddress(args.length > 0 ? 0 : 8080), 0);
    server.createContext("/enrichers", new EnricherHttpHandler(client));
    server.start();
    if (args.length > 0) server.stop(0);
  }
}
