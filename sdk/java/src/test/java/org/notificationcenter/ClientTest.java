package org.notificationcenter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * Tests what is Java's own: interrupts, proxies, mappers, serialisation, and what cannot be sent.
 */
class ClientTest {
  private static final TrackEvent EVENT = TrackEvent.named("order.shipped").userId("u_42");
  private static final String TAKEN =
      "{\"status\":202,\"json\":{\"eventId\":\"evt_1\",\"duplicate\":false,\"receivedAt\":\"soon\"}}";

  private static NotificationClientBuilder client(String baseUrl) {
    return NotificationClient.builder()
        .authSecretKey("nc_auth_eu_test")
        .sdkSecretKey("nc_sdk_eu_test")
        .baseUrl(baseUrl);
  }

  @Test
  void numbersAreSentAsTheirDigits() throws IOException {
    JsonNode script = script(TAKEN);
    NotificationClient client = client(urlOf(script)).build();
    client.track(TrackEvent.named("a").userId(9007199254740993L));
    assertEquals("9007199254740993", bodyOf(script, 0).get("userId").textValue());
    assertEquals(client.generateHashedToken("42"), client.generateHashedToken(42));
  }

  private static JsonNode script(String... answers) {
    return Live.script(Json.tryParse("[" + String.join(",", answers) + "]"));
  }

  private static String urlOf(JsonNode script) {
    return script.get("url").textValue();
  }

  private static JsonNode bodyOf(JsonNode script, int call) {
    return Json.tryParse(Live.requests(script).get(call).get("body").textValue());
  }

  @Test
  void anInterruptEndsAnAttemptAndAPause() throws Exception {
    String[] answers = {"{\"never\":\"answers\"}", "{\"status\":503,\"json\":{\"code\":\"c/0\"}}"};
    for (String answer : answers) {
      JsonNode script = script(answer);
      AtomicReference<Object> end = new AtomicReference<>();
      Thread caller =
          new Thread(
              () -> {
                IOException error =
                    assertThrows(
                        IOException.class,
                        () -> client(urlOf(script)).retryDelaysMs(60_000).build().track(EVENT));
                end.set(error);
                assertTrue(Thread.currentThread().isInterrupted());
              });
      caller.start();
      while (Live.requests(script).isEmpty()) Thread.sleep(5);
      Thread.sleep(100);
      caller.interrupt();
      caller.join(20_000);
      assertInstanceOf(InterruptedIOException.class, end.get());
      assertEquals(1, Live.requests(script).size());
    }
  }

  @Test
  void aProxyIsUsed() throws Exception {
    List<String> asked = Collections.synchronizedList(new ArrayList<>());
    HttpServer proxy =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    proxy.createContext(
        "/",
        exchange -> {
          asked.add(exchange.getRequestURI().toString());
          byte[] body = "{\"eventId\":\"evt_1\"}".getBytes();
          exchange.sendResponseHeaders(202, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    proxy.start();
    try {
      ProxySelector selector =
          ProxySelector.of(new InetSocketAddress("127.0.0.1", proxy.getAddress().getPort()));
      String target = "http://notify.example.com/base";
      assertEquals("evt_1", client(target).proxy(selector).build().track(EVENT).eventId());
      HttpClient own = HttpClient.newBuilder().proxy(selector).build();
      assertEquals("evt_1", client(target).httpClient(own).build().track(EVENT).eventId());
      assertEquals(List.of(target + "/v1/events/track", target + "/v1/events/track"), asked);
      assertThrows(
          IllegalArgumentException.class,
          () -> client(target).httpClient(own).proxy(selector).build());
    } finally {
      proxy.stop(0);
    }
  }

  @Test
  void aClientThatFollowsRedirectsIsRefused() {
    HttpClient http = HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build();
    assertThrows(
        IllegalArgumentException.class,
        () -> client("http://127.0.0.1:1").httpClient(http).build());
  }

  record Details(@JsonProperty("order_id") String orderId, List<String> lineItems) {}

  @Test
  void propertiesAreWrittenByJacksonAndItsAnnotations() throws Exception {
    JsonNode script = script(TAKEN, TAKEN);
    TrackEvent event = EVENT.properties(new Details("A-1", List.of("x")));
    TrackAnswer answer = client(urlOf(script)).build().track(event);
    assertEquals(new TrackAnswer("evt_1", null, false, null), answer);
    assertEquals(
        "{\"order_id\":\"A-1\",\"lineItems\":[\"x\"]}",
        bodyOf(script, 0).get("properties").toString());
    JsonMapper mapper =
        JsonMapper.builder().propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE).build();
    client(urlOf(script)).objectMapper(mapper).build().track(event.occurredAt(Instant.EPOCH));
    JsonNode sent = bodyOf(script, 1);
    assertEquals(
        "{\"order_id\":\"A-1\",\"line_items\":[\"x\"]}", sent.get("properties").toString());
    assertEquals("1970-01-01T00:00:00.000Z", sent.get("occurredAt").textValue());
    assertEquals("u_42", sent.get("userId").textValue());
  }

  @Test
  void anEventIsImmutable() throws Exception {
    JsonNode script = script(TAKEN);
    EVENT.topic("t").idempotencyKey("k");
    client(urlOf(script)).build().track(EVENT);
    assertFalse(bodyOf(script, 0).has("topic"));
  }

  @Test
  void whatCannotBeSentIsReportedAtOnceAndNothingIsSent() {
    JsonNode script = script();
    NotificationClient client = client(urlOf(script)).build();
    List<Object> circle = new ArrayList<>();
    circle.add(circle);
    for (Object properties :
        new Object[] {Map.of("a", circle), List.of(1), "text", 7, new Object()}) {
      assertThrows(
          IllegalArgumentException.class, () -> client.track(EVENT.properties(properties)));
    }
    assertThrows(IllegalArgumentException.class, () -> client.track(null));
    assertThrows(IllegalArgumentException.class, () -> client.trackBatch(null));
    IllegalArgumentException error =
        assertThrows(
            IllegalArgumentException.class,
            () -> client.trackBatch(Collections.singletonList(null)));
    assertTrue(error.getMessage().contains("events[0]"));
    assertThrows(IllegalArgumentException.class, () -> TrackOptions.none().timeoutMs(-1));
    assertThrows(IllegalArgumentException.class, () -> TrackOptions.none().correlationId("a b"));
    assertThrows(IllegalArgumentException.class, () -> client.generateHashedToken("u", null));
    assertThrows(
        IllegalArgumentException.class,
        () -> client.generateHashedToken("u", Instant.ofEpochSecond(-1)));
    assertThrows(IllegalArgumentException.class, () -> client.generateHashedToken("a\ud800"));
    assertEquals(0, Live.requests(script).size());
  }

  @Test
  void noSecretIsShownOrSerialised() throws Exception {
    NotificationClientBuilder builder = client("http://127.0.0.1:3000");
    NotificationClient client = builder.build();
    assertEquals("NotificationClient[http://127.0.0.1:3000]", client.toString());
    assertFalse(builder.toString().contains("nc_"));
    for (Class<?> type : List.of(NotificationClient.class, NotificationClientBuilder.class)) {
      for (Field field : type.getDeclaredFields()) {
        boolean isSecret = field.getName().matches("(auth|sdk|webhook).*|sender|binder|tracker|dispatcher");
        assertEquals(isSecret, Modifier.isTransient(field.getModifiers()), field.getName());
      }
    }
    JsonMapper mapper =
        JsonMapper.builder()
            .visibility(PropertyAccessor.FIELD, JsonAutoDetect.Visibility.ANY)
            .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
            .build();
    assertEquals("{\"baseUrl\":\"http://127.0.0.1:3000\"}", mapper.writeValueAsString(client));
    ObjectOutputStream output = new ObjectOutputStream(new ByteArrayOutputStream());
    assertThrows(NotSerializableException.class, () -> output.writeObject(client));
  }

  @Test
  void aRefusalIsSerialisable() throws Exception {
    JsonNode script =
        script("{\"status\":400,\"json\":{\"code\":\"a/b\",\"details\":[{\"path\":\"x\"}]}}");
    NotificationRequestException error =
        assertThrows(
            NotificationRequestException.class,
            () -> client(urlOf(script)).retryDelaysMs().build().track(EVENT));
    new ObjectOutputStream(new ByteArrayOutputStream()).writeObject(error);
    error.answer().removeAll();
    assertEquals("a/b", error.answer().get("code").textValue());
  }
}
