package org.notificationcenter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.notificationcenter.httpserver.EnricherHttpHandler;

/**
 * Tests the SDK with the suite against the real server, which all SDKs share
 * (`sdk/live/suite.json`).
 */
class LiveSuiteTest {
  private static final String RUN = "java";
  private static final long PATIENCE_NS = 20_000_000_000L;
  private static final JsonNode SUITE =
      Json.tryParse(Contract.read("sdk/live/suite.json").toString().replace("{run}", RUN));

  private static NotificationClientBuilder clientAt(String baseUrl) {
    return NotificationClient.builder()
        .authSecretKey(Live.secret("authSecretKey"))
        .sdkSecretKey(Live.secret("sdkSecretKey"))
        .baseUrl(baseUrl)
        .retryDelaysMs(1, 1);
  }

  private static Live.Answer signIn(String userId, String token) {
    Map<String, String> body =
        Map.of(
            "apiKey",
            Live.secret("frontApiKey"),
            "authType",
            "backendToken",
            "userId",
            userId,
            "token",
            token);
    return Live.call("POST", "/v1/users/auth", null, body);
  }

  static Stream<Contract.Case> cases() {
    return Contract.cases(SUITE.get("cases"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void events(Contract.Case one) throws InterruptedException {
    JsonNode data = one.data();
    JsonNode script = data.has("answers") ? Live.script(data.get("answers")) : null;
    NotificationClientBuilder builder =
        clientAt(script == null ? Live.url() : script.get("url").textValue());
    if (data.has("sdkSecretKey")) builder.sdkSecretKey(data.get("sdkSecretKey").textValue());
    NotificationClient client = builder.build();
    Set<String> ids = new HashSet<>();
    for (JsonNode operation : data.get("calls")) {
      Object end = CaseRunner.run(client, operation, data.path("repeatEvents").asInt(1));
      if (end instanceof JsonNode result) ids.add(result.path("eventId").asText());
      JsonNode calls = operation.at("/expect/calls");
      if (script != null && !calls.isMissingNode())
        assertEquals(calls.intValue(), Live.requests(script).size());
    }
    if (data.has("same")) assertEquals(data.get("same").intValue(), ids.size());
    if (data.has("stored"))
      assertEquals(
          data.at("/stored/count").intValue(), countStored(data.at("/stored/userId").textValue()));
    if (data.has("messages")) waitForMessages(client, data.get("messages"));
  }

  private static int countStored(String userId) {
    String path =
        "/v1/events?limit=100&userId=" + URLEncoder.encode(userId, StandardCharsets.UTF_8);
    return Live.call("GET", path, Live.secret("sdkSecretKey"), null).body().get("data").size();
  }

  private static void waitForMessages(NotificationClient client, JsonNode expected)
      throws InterruptedException {
    String userId = expected.get("userId").textValue();
    String session =
        signIn(userId, client.generateHashedToken(userId)).body().get("sessionToken").textValue();
    long until = System.nanoTime() + PATIENCE_NS;
    int count = -1;
    while (count != expected.get("count").intValue() && System.nanoTime() < until) {
      if (count >= 0) Thread.sleep(20);
      count = Live.call("GET", "/v1/inbox/messages", session, null).body().get("data").size();
    }
    assertEquals(expected.get("count").intValue(), count);
  }

  @Test
  void namesAreAcceptedAndRefusedAsInTheVectors() throws IOException {
    JsonNode vectors = Contract.vectors("event-names");
    List<TrackEvent> events = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    for (String list : List.of("accepted", "refused")) {
      for (JsonNode one : vectors.get(list)) {
        String name = one.get("text").textValue().repeat(one.get("repeat").intValue());
        events.add(TrackEvent.named(name).userId(RUN + "-names"));
        expected.add(one.path("reason").asText("accepted"));
      }
    }
    List<BatchResult> results = clientAt(Live.url()).build().trackBatch(events).results();
    assertEquals(
        expected,
        results.stream().map(one -> one.isAccepted() ? "accepted" : one.reason()).toList());
  }

  static Stream<Contract.Case> tokens() {
    return Contract.cases(SUITE.get("tokens"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("tokens")
  void token(Contract.Case one) {
    NotificationClient client = clientAt(Live.url()).build();
    String userId = one.data().get("userId").textValue();
    JsonNode expires = one.data().get("expiresInSeconds");
    String token =
        expires == null
            ? client.generateHashedToken(userId)
            : client.generateHashedToken(userId, Instant.now().plusSeconds(expires.longValue()));
    String signInAs = one.data().path("signInAs").asText(userId);
    assertEquals(one.data().get("status").intValue(), signIn(signInAs, token).status());
  }

  record OrderParams(@JsonProperty(required = true) String orderId) {}

  static Stream<Contract.Case> enrichers() {
    return Contract.cases(SUITE.at("/enrichers/cases"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("enrichers")
  void enricher(Contract.Case one) throws IOException {
    String handlerSecret = SUITE.at("/enrichers/handlerSecret").textValue();
    String name = one.data().get("name").textValue();
    String fullName = RUN + "-" + name;
    boolean isForeign = name.equals("foreign");
    NotificationClient client =
        clientAt(Live.url())
            .webhookSigningSecret(
                isForeign
                    ? Live.target().get("foreignSigningSecret").textValue()
                    : Live.secret("webhookSigningSecret"))
            .build();
    AtomicInteger handled = new AtomicInteger();
    if (!name.equals("missing")) {
      client.enricher(
          fullName,
          OrderParams.class,
          (params, context) -> {
            handled.incrementAndGet();
            if (params.orderId().equals("lost")) throw new IllegalStateException(handlerSecret);
            return Map.of("orderId", params.orderId(), "askedFor", context.user().get("id"));
          });
    }
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/enrichers", new EnricherHttpHandler(client));
    server.start();
    try {
      String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/enrichers";
      String key = Live.secret("sdkSecretKey");
      assertTrue(
          Live.call("PUT", "/v1/enrichers/" + fullName, key, Map.of("url", url)).status() < 300);
      JsonNode params = Json.MAPPER.createObjectNode().set("params", one.data().get("params"));
      JsonNode answer =
          Live.call("POST", "/v1/enrichers/" + fullName + "/test", key, params).body();
      JsonNode expected = one.data().get("expect");
      assertEquals(expected.get("ok"), answer.get("ok"), answer::toString);
      assertEquals(expected.at("/error/code"), answer.at("/error/code"));
      if (expected.has("data")) assertEquals(expected.get("data"), answer.get("data"));
      if (expected.at("/error").has("reason"))
        assertEquals(expected.at("/error/reason"), answer.at("/error/reason"));
      assertFalse(answer.toString().contains(handlerSecret));
      if (isForeign) assertEquals(0, handled.get());
    } finally {
      server.stop(0);
    }
  }
}
