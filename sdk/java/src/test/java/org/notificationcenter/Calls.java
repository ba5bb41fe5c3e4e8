package org.notificationcenter;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Signs enricher calls like the service, for a client of its own. */
final class Calls {
  static final String SECRET = "a signing secret of a test";

  final List<EnricherException> reported = new ArrayList<>();
  final NotificationClient client;

  Calls() {
    this(builder -> builder);
  }

  Calls(UnaryOperator<NotificationClientBuilder> more) {
    NotificationClientBuilder builder =
        NotificationClient.builder()
            .authSecretKey("nc_auth_eu_test-0123456789abcdefghij")
            .sdkSecretKey("nc_sdk_eu_test-0123456789abcdefghij")
            .webhookSigningSecret(
                "whsec_"
                    + Base64.getEncoder().encodeToString(SECRET.getBytes(StandardCharsets.UTF_8)))
            .baseUrl("http://127.0.0.1:3000")
            .onEnricherError(reported::add);
    client = more.apply(builder).build();
  }

  /** Returns the envelope of a call, with the copies of its headers. */
  static ObjectNode sign(String name, Object params) {
    ObjectNode payload = Json.MAPPER.createObjectNode().put("id", "enr_1").put("name", name);
    payload.set("params", Json.MAPPER.valueToTree(params));
    payload.putObject("user").put("id", "u_42");
    payload.putObject("event").put("name", "order.shipped");
    return signText(name, payload.toString());
  }

  static ObjectNode signText(String name, String payload) {
    String timestamp = String.valueOf(Instant.now().getEpochSecond());
    byte[] message = ("enr_1." + timestamp + "." + payload).getBytes(StandardCharsets.UTF_8);
    byte[] mac = Hmac.compute(SECRET.getBytes(StandardCharsets.UTF_8), message);
    ObjectNode envelope = Json.MAPPER.createObjectNode().put("name", name).put("payload", payload);
    envelope.set(
        "headers",
        Json.MAPPER.valueToTree(
            Map.of(
                "webhook-id",
                "enr_1",
                "webhook-timestamp",
                timestamp,
                "webhook-signature",
                "v1," + Base64.getEncoder().encodeToString(mac))));
    return envelope;
  }

  DispatchResponse dispatch(String name, Object params) {
    return client.dispatch(sign(name, params).toString());
  }
}
