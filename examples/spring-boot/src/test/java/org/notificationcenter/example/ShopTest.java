package org.notificationcenter.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

/**
 * Tests the application on its real server: its token, and an enricher call that is signed like the
 * service does.
 */
@SpringBootTest(
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = {
      "notification.auth-secret-key=secret",
      "notification.sdk-secret-key=key",
      "notification.webhook-signing-secret=signing"
    })
class ShopTest {
  private final HttpClient http = HttpClient.newHttpClient();

  @LocalServerPort private int port;

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
        .header("content-type", "application/json");
  }

  @Test
  void aPageGetsAToken() throws Exception {
    HttpResponse<String> response =
        http.send(request("/notification-token").build(), HttpResponse.BodyHandlers.ofString());
    assertThat(response.body()).matches("\\{\"token\":\"v2\\.[0-9]+\\.[0-9a-f]{64}\"}");
  }

  @Test
  void anEnricherAnswers() throws Exception {
    String timestamp = String.valueOf(System.currentTimeMillis() / 1000);
    String payload = "{\"name\":\"order-details\",\"params\":{\"orderId\":\"A-1\"}}";
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec("signing".getBytes(), "HmacSHA256"));
    byte[] signature = mac.doFinal(("enr_1." + timestamp + "." + payload).getBytes());
    HttpResponse<String> response =
        http.send(
            request("/enrichers?name=order-details")
                .header("webhook-id", "enr_1")
                .header("webhook-timestamp", timestamp)
                .header("webhook-signature", "v1," + Base64.getEncoder().encodeToString(signature))
                .POST(
                    HttpRequest.BodyPublishers.ofString(
                        "{\"payload\":\"" + payload.replace("\"", "\\\"") + "\"}"))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(response.body()).contains("\"ok\":true", "\"orderId\":\"A-1\"", "\"total\":42");
    assertThat(response.statusCode()).isEqualTo(200);
  }

  @Test
  void aStrangerIsRefused() throws Exception {
    HttpRequest stranger =
        request("/enrichers").POST(HttpRequest.BodyPublishers.ofString("{}")).build();
    assertThat(http.send(stranger, HttpResponse.BodyHandlers.ofString()).statusCode())
        .isEqualTo(401);
  }
}
