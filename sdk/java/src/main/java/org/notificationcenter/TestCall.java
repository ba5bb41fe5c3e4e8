package org.notificationcenter;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.UUID;

/** Makes the call of an enricher as the service sends it. */
final class TestCall {
  private TestCall() {}

  static String sign(String secret, String name, Object params, Object user, Object event) {
    byte[] key =
        Signature.decodeSecret(Settings.parseText(secret, "webhookSigningSecret")).get(0);
    Binder binder = Jackson2Binder.createDefault();
    String id = "enr_" + UUID.randomUUID();
    ObjectNode payload = Json.MAPPER.createObjectNode().put("id", id).put("name", name);
    payload.set("params", binder.toTree(params == null ? Map.of() : params));
    payload.set("user", binder.toTree(user));
    payload.set("event", binder.toTree(event));
    String timestamp = String.valueOf(Instant.now().getEpochSecond());
    String message = id + "." + timestamp + "." + payload;
    byte[] mac = Hmac.compute(key, message.getBytes(StandardCharsets.UTF_8));
    ObjectNode envelope =
        Json.MAPPER.createObjectNode().put("name", name).put("payload", payload.toString());
    envelope.set("params", payload.get("params"));
    envelope
        .putObject("headers")
        .put("webhook-id", id)
        .put("webhook-timestamp", timestamp)
        .put("webhook-signature", "v1," + Base64.getEncoder().encodeToString(mac));
    return envelope.toString();
  }
}
