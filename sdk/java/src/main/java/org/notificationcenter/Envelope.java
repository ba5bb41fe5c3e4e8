package org.notificationcenter;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

/** Parses the hostile envelope of an enricher call into a call that the service has signed. */
final class Envelope {
  /** The content of the signed payload, of which only the types are checked. */
  record SignedCall(
      String id, String name, JsonNode params, JsonNode user, JsonNode event, Instant sentAt) {}

  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private Envelope() {}

  /**
   * Verifies and parses. Uses nothing of the body, and reports no details to the sender, before the
   * signature is verified.
   */
  static SignedCall open(List<byte[]> keys, Object body, DispatchOptions options, Instant now) {
    JsonNode envelope = parseBody(body);
    boolean isObject = envelope != null && envelope.isObject();
    JsonNode copies = isObject ? envelope.get("headers") : null;
    Signature.Headers headers = Signature.findHeaders(options, copies);
    String payload = isObject ? Json.text(envelope, "payload") : null;
    if (payload == null)
      throw new EnricherHmacVerificationException(HmacFailureReason.BAD_SIGNATURE);
    Signature.verify(keys, headers, payload, now);

    JsonNode signed = Json.tryParse(payload);
    String name = signed == null || !signed.isObject() ? null : Json.text(signed, "name");
    if (name == null)
      throw new EnricherException("The signed payload is not the call of an enricher.", null);
    boolean hasOtherName = envelope.has("name") && !name.equals(Json.text(envelope, "name"));
    if (hasOtherName
        || (options.name() != null && !options.name().equals(name))
        || hasOtherParams(envelope, signed)) {
      throw new EnricherHmacVerificationException(HmacFailureReason.BAD_SIGNATURE);
    }
    JsonNode params = signed.has("params") ? signed.get("params") : NullNode.getInstance();
    Instant sentAt = Instant.ofEpochSecond(Long.parseLong(headers.timestamp()));
    return new SignedCall(
        headers.id(),
        name,
        params,
        toObject(signed.get("user")),
        toObject(signed.get("event")),
        sentAt);
  }

  private static boolean hasOtherParams(JsonNode envelope, JsonNode signed) {
    if (!envelope.has("params")) return false;
    return !signed.has("params") || !Json.isSame(envelope.get("params"), signed.get("params"));
  }

  private static ObjectNode toObject(JsonNode value) {
    return value instanceof ObjectNode object ? object : Json.MAPPER.createObjectNode();
  }

  private static JsonNode parseBody(Object body) {
    if (body instanceof byte[] bytes) return parseText(new String(bytes, StandardCharsets.UTF_8));
    if (body instanceof CharSequence text) return parseText(text.toString());
    JsonNode tree = Json.fromTree(body);
    return tree != null || body == null ? tree : Json.MAPPER.valueToTree(body);
  }

  private static JsonNode parseText(String text) {
    return Json.tryParse(text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text);
  }
}
