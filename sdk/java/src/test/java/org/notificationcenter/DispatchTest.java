package org.notificationcenter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests handlers, bound classes, and whatever else a dispatch may be given. */
class DispatchTest {
  record Order(@JsonProperty(required = true) String orderId, int lines) {}

  private final Calls calls = new Calls();

  @Test
  void aHandlerGetsItsClassAndTheContext() {
    List<EnricherContext> seen = new ArrayList<>();
    calls.client.enricher(
        "details",
        Order.class,
        (order, context) -> {
          seen.add(context);
          return Map.of("id", order.orderId(), "lines", order.lines());
        });
    DispatchResponse response =
        calls.dispatch("details", Map.of("orderId", "A-1", "lines", 3, "more", true));
    assertEquals("{\"id\":\"A-1\",\"lines\":3}", canonical(response.data()));
    EnricherContext context = seen.get(0);
    assertEquals(
        List.of("details", "enr_1", "u_42", "order.shipped"),
        List.of(
            context.name(),
            context.id(),
            context.user().get("id").textValue(),
            context.event().get("name").textValue()));
  }

  private static String canonical(JsonNode node) {
    return Json.canonical(node).replace(",}", "}");
  }

  @Test
  void paramsThatCannotBeBoundHaveTheirPlace() {
    calls.client.enricher("details", Order.class, (order, context) -> order);
    for (Object params :
        new Object[] {
          Map.of("orderId", 7), Map.of("orderId", "A", "lines", "3"), List.of(), "text"
        }) {
      DispatchResponse response = calls.dispatch("details", params);
      assertEquals(EnricherErrorCode.INPUT_INVALID, response.error().code(), params::toString);
    }
    DispatchResponse response = calls.dispatch("details", Map.of("orderId", "A", "lines", "3"));
    assertEquals("#/lines", response.error().details().get(0).instanceLocation());
    assertFalse(calls.dispatch("details", null).ok());
  }

  @Test
  void theCauseOfAFailedHandlerIsKeptAtHome() throws Exception {
    IllegalStateException cause = new IllegalStateException("password of the shop database");
    calls.client.enricher(
        "details",
        JsonNode.class,
        (params, context) -> {
          throw cause;
        });
    DispatchResponse response = calls.dispatch("details", Map.of());
    assertInstanceOf(EnricherHandlerException.class, response.error().cause());
    assertSame(cause, response.error().cause().getCause());
    assertEquals(List.of(response.error().cause()), calls.reported);
    String json =
        "{\"ok\":false,\"error\":{\"code\":\"handler-error\",\"message\":\"The enricher"
            + " \\\"details\\\" failed.\"}}";
    assertEquals(json, response.toJson());
    assertEquals(json, response.toString());
    assertEquals(json, Json.MAPPER.writeValueAsString(response));
    assertFalse(response.error().toString().contains("password"));
  }

  @Test
  void whatCannotBeWrittenAsJsonIsNoAnswer() {
    List<Object> circle = new ArrayList<>();
    circle.add(circle);
    Object[] results = {circle, new Object(), "x".repeat(1024 * 1024)};
    for (int i = 0; i < results.length; i++) {
      Object result = results[i];
      calls.client.enricher("e" + i, JsonNode.class, (params, context) -> result);
      DispatchResponse response = calls.dispatch("e" + i, Map.of());
      assertEquals(EnricherErrorCode.HANDLER_ERROR, response.error().code(), "result " + i);
    }
    calls.client.enricher("silent", JsonNode.class, (params, context) -> null);
    assertTrue(calls.dispatch("silent", Map.of()).data().isNull());
  }

  @Test
  void whateverFailsIsAnswered() {
    calls.client.enricher(
        "deep",
        JsonNode.class,
        (params, context) -> {
          throw new StackOverflowError();
        });
    assertEquals(EnricherErrorCode.HANDLER_ERROR, calls.dispatch("deep", Map.of()).error().code());
    calls.client.enricher(
        "rude",
        (params, mapper) -> {
          throw new IllegalStateException("schema");
        },
        (params, context) -> 1);
    assertEquals(EnricherErrorCode.INTERNAL, calls.dispatch("rude", Map.of()).error().code());
    calls.client.enricher(
        "loop",
        (params, mapper) -> {
          throw new StackOverflowError();
        },
        (params, context) -> 1);
    assertEquals(EnricherErrorCode.INTERNAL, calls.dispatch("loop", Map.of()).error().code());
  }

  @Test
  void aListenerThatThrowsChangesNothing() {
    NotificationClient client =
        NotificationClient.builder()
            .authSecretKey("a")
            .sdkSecretKey("b").baseUrl("http://127.0.0.1:1")
            .webhookSigningSecret("c")
            .onEnricherError(
                error -> {
                  throw new IllegalStateException("listener");
                })
            .build();
    assertEquals(HmacFailureReason.MISSING_HEADER, client.dispatch("{}").error().reason());
  }

  @Test
  void withoutASigningSecretADispatchReportsWhatIsMissing() {
    NotificationClient client =
        NotificationClient.builder().authSecretKey("a").sdkSecretKey("b").baseUrl("http://127.0.0.1:1").build();
    DispatchFailure error = client.dispatch("{}").error();
    assertEquals(EnricherErrorCode.INTERNAL, error.code());
    assertTrue(error.message().contains("webhookSigningSecret"));
    assertEquals(64, client.generateHashedToken("u").length());
  }

  @Test
  void anyBodyIsAnswered() {
    Map<String, Object> rude =
        new AbstractMap<>() {
          @Override
          public Set<Entry<String, Object>> entrySet() {
            throw new IllegalStateException("rude");
          }
        };
    Object[] bodies = {
      null,
      "",
      "[",
      "[]",
      "7",
      "{\"payload\":7}",
      new byte[] {(byte) 0xff},
      "[".repeat(100_000),
      rude,
      new Object(),
      'c',
      "{\"payload\":\"x\",\"headers\":[1]}",
      "{} {}",
      "{\"payload\":\"" + "[".repeat(50_000) + "\"}"
    };
    for (Object body : bodies) {
      DispatchResponse response = calls.client.dispatch(body);
      assertFalse(response.ok());
      assertTrue(response.status() >= 400);
      assertFalse(response.toJson().contains(Calls.SECRET));
    }
    Map<String, Object> headers = new HashMap<>();
    headers.put(null, "x");
    headers.put("webhook-id", new Object());
    headers.put("webhook-signature", Collections.singletonList(null));
    assertFalse(calls.client.dispatch("{}", DispatchOptions.none().headers(headers)).ok());
    assertFalse(
        calls
            .client
            .dispatch(
                "{}",
                DispatchOptions.none()
                    .headers(
                        name -> {
                          throw new IllegalStateException("rude");
                        }))
            .ok());
    assertFalse(calls.client.dispatch("{}", null).ok());
  }

  @Test
  void aChangedCallIsRefusedOrTheHandlerStillGetsWhatWasSigned() {
    calls.client.enricher(
        "echo", JsonNode.class, (params, context) -> params);
    String good = Calls.sign("echo", Map.of("orderId", "A-1042")).toString();
    Random random = new Random(8);
    int refused = 0;
    for (int i = 0; i < 1000; i++) {
      int at = random.nextInt(good.length());
      char letter = (char) (32 + random.nextInt(95));
      DispatchResponse response =
          calls.client.dispatch(good.substring(0, at) + letter + good.substring(at + 1));
      if (response.ok()) assertEquals("{\"orderId\":\"A-1042\"}", response.data().toString());
      else refused++;
    }
    assertTrue(refused > 900, "refused " + refused);
  }

  @Test
  void halfASurrogatePairIsNotSigned() {
    String payload = "{\"name\":\"echo\",\"params\":{\"a\":\"?\"}}";
    calls.client.enricher("echo", JsonNode.class, (params, context) -> params);
    ObjectNode envelope = Calls.signText("echo", payload);
    assertTrue(calls.client.dispatch(envelope).ok());
    envelope.put("payload", payload.replace('?', '\ud800'));
    assertEquals(HmacFailureReason.BAD_SIGNATURE, calls.client.dispatch(envelope).error().reason());
  }

  @Test
  void headersComeInAnyForm() {
    calls.client.enricher("e", JsonNode.class, (params, context) -> 1);
    ObjectNode envelope = Calls.sign("e", Map.of());
    JsonNode copies = envelope.remove("headers");
    String signature = copies.get("webhook-signature").textValue();
    Map<String, Object> lists = new HashMap<>();
    copies
        .properties()
        .forEach(
            field ->
                lists.put(field.getKey().toUpperCase(), List.of(field.getValue().textValue())));
    lists.put("WEBHOOK-SIGNATURE", List.of("v1,AAAA", signature));
    Map<String, Object> joined = new HashMap<>(lists);
    joined.put("WEBHOOK-SIGNATURE", "v1,AAAA, " + signature);
    for (Map<String, Object> headers : List.of(lists, joined)) {
      assertTrue(calls.client.dispatch(envelope, DispatchOptions.none().headers(headers)).ok());
    }
    DispatchOptions read = DispatchOptions.none().headers(name -> copies.path(name).textValue());
    assertTrue(calls.client.dispatch(envelope, read.name("e")).ok());
    assertFalse(calls.client.dispatch(envelope, read.name("f")).ok());
    assertTrue(
        calls.client.dispatch(("\uFEFF" + envelope).getBytes(StandardCharsets.UTF_8), read).ok());
  }
}
