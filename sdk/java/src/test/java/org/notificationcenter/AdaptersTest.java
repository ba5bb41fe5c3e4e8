package org.notificationcenter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import java.io.File;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.notificationcenter.httpserver.EnricherHttpHandler;
import org.notificationcenter.servlet.EnricherServlet;

/** Tests the adapters with Tomcat and with the HTTP server of the JDK. */
class AdaptersTest {
  record Params(@JsonProperty(required = true) String orderId) {}

  @TempDir Path folder;

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final NotificationClient client =
      new Calls()
          .client
          .enricher(
              "details",
              Params.class,
              (params, context) -> params)
          .enricher(
              "broken",
              JsonNode.class,
              (params, context) -> {
                throw new IllegalStateException("no");
              });

  @Test
  void tomcat() throws Exception {
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(folder.toString());
    tomcat.setPort(0);
    tomcat.getConnector();
    Context context = tomcat.addContext("", new File(folder.toString()).getAbsolutePath());
    Tomcat.addServlet(context, "enrichers", new EnricherServlet(client));
    context.addServletMappingDecoded("/enrichers", "enrichers");
    tomcat.start();
    try {
      checkAll("http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + "/enrichers");
    } finally {
      tomcat.stop();
      tomcat.destroy();
    }
  }

  @Test
  void serverOfTheJdk() throws Exception {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/enrichers", new EnricherHttpHandler(client));
    server.start();
    try {
      checkAll("http://127.0.0.1:" + server.getAddress().getPort() + "/enrichers");
    } finally {
      server.stop(0);
    }
  }

  private void checkAll(String url) throws Exception {
    HttpResponse<String> good =
        post(url + "?name=details", Calls.sign("details", Map.of("orderId", "Orléans ✓")));
    assertEquals(200, good.statusCode());
    assertEquals("Orléans ✓", Json.tryParse(good.body()).at("/data/orderId").textValue());
    assertTrue(good.headers().firstValue("content-type").orElse("").startsWith("application/json"));
    assertEquals("no-store", good.headers().firstValue("cache-control").orElse(""));
    check(post(url + "?x=1&name=details", Calls.sign("details", Map.of())), 400, "input-invalid");
    check(post(url + "?name=details", Json.MAPPER.createObjectNode()), 401, "hmac-invalid");
    check(
        post(url + "?name=other", Calls.sign("details", Map.of("orderId", "A"))),
        401,
        "hmac-invalid");
    check(post(url + "?name=nobody", Calls.sign("nobody", Map.of())), 404, "enricher-not-found");
    check(post(url + "?name=broken", Calls.sign("broken", Map.of())), 500, "handler-error");
    check(send(url, "POST", "x".repeat(4 * 1024 * 1024 + 1), Map.of()), 413, "internal");
    HttpResponse<String> get = send(url, "GET", "", Map.of());
    check(get, 405, "internal");
    assertEquals(List.of("POST"), get.headers().allValues("allow"));
  }

  private static void check(HttpResponse<String> response, int status, String code) {
    assertEquals(status, response.statusCode(), response.body());
    assertEquals(code, Json.tryParse(response.body()).at("/error/code").textValue());
  }

  /** Sends the three headers as real ones alone. */
  private HttpResponse<String> post(String url, ObjectNode envelope) throws Exception {
    JsonNode headers = envelope.remove("headers");
    Map<String, String> real =
        headers == null
            ? Map.of()
            : Map.of(
                "Webhook-Id", headers.get("webhook-id").textValue(),
                "webhook-timestamp", headers.get("webhook-timestamp").textValue(),
                "webhook-signature", headers.get("webhook-signature").textValue());
    return send(url, "POST", envelope.toString(), real);
  }

  private HttpResponse<String> send(
      String url, String method, String body, Map<String, String> headers) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url))
            .header("content-type", "application/json")
            .method(
                method,
                body.isEmpty()
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body));
    headers.forEach(request::header);
    return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }
}
