package org.notificationcenter.example;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.notificationcenter.NotificationClient;
import org.notificationcenter.TrackEvent;
import org.notificationcenter.servlet.EnricherServlet;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Tracks an event when an order is shipped, gives a page its token, and answers enrichers. */
@SpringBootApplication
public class Shop {
  record OrderParams(String orderId) {}

  public static void main(String[] args) {
    SpringApplication.run(Shop.class, args);
  }

  /**
   * One client serves the whole application. The values come from the environment:
   * NOTIFICATION_SDK_SECRET_KEY, …
   */
  @Bean
  NotificationClient notificationClient(
      @Value("${notification.auth-secret-key}") String authSecretKey,
      @Value("${notification.sdk-secret-key}") String sdkSecretKey,
      @Value("${notification.webhook-signing-secret}") String webhookSigningSecret,
      @Value("${notification.base-url:http://127.0.0.1:3000}") String baseUrl) {
    NotificationClient client =
        NotificationClient.builder()
            .authSecretKey(authSecretKey)
            .sdkSecretKey(sdkSecretKey)
            .webhookSigningSecret(webhookSigningSecret)
            .baseUrl(baseUrl)
            .onEnricherError(
                error -> LoggerFactory.getLogger(Shop.class).warn("enricher failed", error))
            .build();
    return client.enricher(
        "order-details",
        OrderParams.class,
        (params, context) -> Map.of("orderId", params.orderId(), "total", 42));
  }

  @Bean
  ServletRegistrationBean<EnricherServlet> enrichers(NotificationClient client) {
    return new ServletRegistrationBean<>(new EnricherServlet(client), "/enrichers");
  }

  @RestController
  static class Orders {
    private final NotificationClient client;

    Orders(NotificationClient client) {
      this.client = client;
    }

    @PostMapping("/orders/{orderId}/ship")
    Map<String, String> ship(@PathVariable String orderId) throws IOException {
      TrackEvent event =
          TrackEvent.named("order.shipped")
              .userId("u_42")
              .properties(Map.of("orderId", orderId))
              .idempotencyKey("shipped-" + orderId);
      return Map.of("eventId", client.track(event).eventId());
    }

    /** A real application takes the user id from its own session, never from the request. */
    @GetMapping("/notification-token")
    Map<String, String> token() {
      return Map.of(
          "token", client.generateHashedToken("u_42", Instant.now().plus(Duration.ofHours(1))));
    }
  }
}
