package org.notificationcenter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests calls without waiting, calls of other routes, and what callers learn of attempts. */
class CallsOfTheApiTest {
  private static final TrackEvent EVENT = TrackEvent.named("order.shipped").userId("u_42");
  private static final String TAKEN = "{\"status\":202,\"json\":{\"eventId\":\"evt_1\"}}";
  private static final String BUSY = "{\"status\":503,\"json\":{\"code\":\"c/0\"}}";
  private static final String REFUSED = "{\"status\":403,\"json\":{\"code\":\"c/1\"}}";

  private final List<FailedAttempt> failed = Collections.synchronizedList(new ArrayList<>());

  private NotificationClientBuilder client(JsonNode script) {
    return NotificationClient.builder()
        .authSecretKey("nc_auth_eu_test")
        .sdkSecretKey("nc_sdk_eu_test")
        .baseUrl(script.get("url").textValue())
        .onAttempt(failed::add)
        .retryDelaysMs(1, 2);
  }

  private static JsonNode script(String... answers) {
    return Live.script(Json.tryParse("[" + String.join(",", answers) + "]"));
  }

  @Test
  void anEventIsSentWithoutWaiting() throws Exception {
    JsonNode script = script(BUSY, TAKEN);
    assertEquals("evt_1", client(script).build().trackAsync(EVENT).get().eventId());
    assertEquals(2, Live.requests(script).size());
    assertEquals(1, failed.size());
    assertEquals(1, failed.get(0).attempt());
    assertEquals(1L, failed.get(0).delayMs());
    assertInstanceOf(NotificationRequestException.class, failed.get(0).error());
  }

  @Test
  void aFailureOfACallWithoutWaitingIsThatOfTheLastAttempt() {
    CompletableFuture<TrackAnswer> call = client(script(BUSY, BUSY, REFUSED)).build().trackAsync(EVENT);
    ExecutionException error = assertThrows(ExecutionException.class, call::get);
    assertEquals(403, assertInstanceOf(NotificationRequestException.class, error.getCause()).status());
    assertEquals(3, failed.size());
    assertSame(null, failed.get(2).delayMs());
  }

  @Test
  void cancellingEndsTheCall() throws Exception {
    JsonNode script = script("{\"never\":\"answers\"}", TAKEN);
    CompletableFuture<TrackAnswer> call = client(script).build().trackAsync(EVENT);
    while (Live.requests(script).isEmpty()) Thread.sleep(5);
    assertTrue(call.cancel(true));
    assertEquals(List.of(), failed);
    assertEquals(1, Live.requests(script).size());
  }

  @Test
  void onlyFailuresThatMayPassAreRepeated() {
    JsonNode refused = script(REFUSED, TAKEN);
    NotificationClient client = client(refused).retry(Retry.TRANSIENT).build();
    assertThrows(NotificationRequestException.class, () -> client.track(EVENT));
    assertEquals(1, Live.requests(refused).size());
    JsonNode busy = script(BUSY, "{\"status\":429,\"json\":{}}", TAKEN);
    NotificationClient patient = client(busy).retry(Retry.TRANSIENT).build();
    assertEquals("evt_1", patient.trackAsync(EVENT).join().eventId());
  }

  @Test
  void anotherRouteIsCalledWithOneKey() throws Exception {
    JsonNode script = script(BUSY, "{\"status\":200,\"json\":{\"data\":[7]}}");
    NotificationClient client = client(script).build();
    JsonNode answer = client.request("PUT", "/v1/users/u_42", Map.of("at", BindingTest.STAY.at()));
    assertEquals("{\"data\":[7]}", answer.toString());
    List<String> keys = new ArrayList<>();
    for (JsonNode request : Live.requests(script)) {
      keys.add(request.at("/headers/idempotency-key").textValue());
      assertEquals("Bearer nc_sdk_eu_test", request.at("/headers/authorization").textValue());
      String agent = request.at("/headers/user-agent").textValue();
      assertTrue(agent.startsWith("notification-center-java/0.1.0 "), agent);
      assertFalse(request.get("body").textValue().contains("nc_sdk"));
    }
    assertEquals(2, keys.size());
    assertEquals(keys.get(0), keys.get(1));
    assertEquals(36, keys.get(0).length());
  }

  @Test
  void anExportIsItsText() throws Exception {
    String csv = "\"text\":\"messageId\\nmsg_1\\n\"";
    JsonNode script =
        script(
            "{\"status\":200," + csv + ",\"headers\":{\"content-type\":\"text/csv; charset=utf-8\"}}",
            "{\"status\":200," + csv + ",\"headers\":{\"content-type\":\"text/html\"}}");
    NotificationClient client = client(script).retryDelaysMs().build();
    String path = "/v1/deliveries/export.csv";
    assertEquals("messageId\nmsg_1\n", client.request("GET", path, null).textValue());
    assertThrows(
        NotificationRequestException.class, () -> client.request("GET", path, null));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "v1", "@evil.example/", "https://evil.example/", "/a b", "/a#b", "/%", "/\\a"})
  void anotherPathIsRefused(String path) {
    NotificationClient client = client(script(TAKEN)).build();
    assertThrows(IllegalArgumentException.class, () -> client.request("GET", path, null));
    assertThrows(IllegalArgumentException.class, () -> client.request("TRACE", "/v1", null));
  }

  @Test
  void aSignedCallIsAnswered() {
    Calls calls = new Calls();
    calls.client.enricher("stay", BindingTest.Stay.class, (stay, context) -> context.user());
    String secret = "nc-test-secret-of-32-characters!";
    NotificationClient client =
        new Calls(builder -> builder.webhookSigningSecret(secret)).client
            .enricher("stay", BindingTest.Stay.class, (stay, context) -> context.user());
    Map<String, Object> user = Map.of("id", "u_42");
    String body =
        NotificationClient.signEnricherCall(secret, "stay", BindingTest.STAY, user, Map.of());
    assertEquals("{\"id\":\"u_42\"}", client.dispatch(body).data().toString());
    assertEquals(
        EnricherErrorCode.HMAC_INVALID, calls.client.dispatch(body).error().code());
    client.enricher("none", Map.class, (params, context) -> params);
    String none = NotificationClient.signEnricherCall(secret, "none", null);
    assertEquals("{}", client.dispatch(none).data().toString());
  }

  @Test
  void theAddressIsAskedForByItsName() {
    assertEquals(
        "https://a.example",
        Settings.parseUrl(null, Map.of("NOTIFICATION_CENTER_URL", "https://a.example/")));
    for (Map<String, String> empty : List.of(Map.<String, String>of(), Map.of("NOTIFICATION_CENTER_URL", "")))
      assertTrue(
          assertThrows(IllegalArgumentException.class, () -> Settings.parseUrl(null, empty))
              .getMessage()
              .contains("NOTIFICATION_CENTER_URL"));
  }

  @Test
  void theVersionIsThatOfThePackage() throws Exception {
    assertTrue(Files.readString(Path.of("pom.xml")).contains("<version>" + Settings.VERSION + "</version>"));
  }

  @Test
  void clientsShareOneHttpClient() {
    assertSame(
        NotificationClient.builder().createHttpClient(),
        NotificationClient.builder().createHttpClient());
  }
}
