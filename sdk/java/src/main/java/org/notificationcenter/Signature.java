package org.notificationcenter;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;

/** Verifies the signature of an enricher call (Standard Webhooks) over the verbatim payload. */
final class Signature {
  /** The three headers of a call. */
  record Headers(String id, String timestamp, String signature) {
    boolean isEmpty() {
      return id.isEmpty() && timestamp.isEmpty() && signature.isEmpty();
    }
  }

  private static final long TOLERANCE_SECONDS = 300;

  /** No HTTP header is longer, and a longer copy in a body must cost no time. */
  private static final int MAX_HEADER_CHARS = 16_384;

  private static final String PREFIX = "whsec_";
  private static final Pattern BASE64 = Pattern.compile("[A-Za-z0-9+/_-]+={0,2}");
  private static final Pattern TIMESTAMP = Pattern.compile("[0-9]{1,12}");

  /** SHA-256 in standard base64. */
  private static final Pattern ONE_SIGNATURE = Pattern.compile("v1,[A-Za-z0-9+/]{43}=");

  /** Platforms join a repeated header with a comma and a space. */
  private static final Pattern BETWEEN = Pattern.compile(",?\\s+");

  private Signature() {}

  /**
   * Decodes a secret into all keys that it may mean: the bytes of {@code whsec_<base64>}; for any
   * other text its UTF-8 bytes and, where it is base64, the decoded bytes.
   */
  static List<byte[]> decodeSecret(String secret) {
    boolean isPrefixed = secret.startsWith(PREFIX);
    byte[] decoded = tryBase64(isPrefixed ? secret.substring(PREFIX.length()) : secret);
    List<byte[]> keys = new ArrayList<>();
    if (!isPrefixed) keys.add(secret.getBytes(StandardCharsets.UTF_8));
    if (decoded != null) keys.add(decoded);
    if (keys.isEmpty())
      throw new IllegalArgumentException("webhookSigningSecret must be whsec_ and base64.");
    return List.copyOf(keys);
  }

  private static byte[] tryBase64(String text) {
    if (!BASE64.matcher(text).matches()) return null;
    String plain = text.replace('-', '+').replace('_', '/').replace("=", "");
    try {
      byte[] bytes = Base64.getDecoder().decode(plain);
      return bytes.length == 0 ? null : bytes;
    } catch (IllegalArgumentException error) {
      return null;
    }
  }

  /**
   * Returns the three headers: all from the request when it has any of them, else all from the
   * copies in the body.
   */
  static Headers findHeaders(DispatchOptions options, JsonNode copies) {
    Headers real =
        new Headers(
            options.header("webhook-id"),
            options.header("webhook-timestamp"),
            options.header("webhook-signature"));
    Headers headers = real.isEmpty() ? readCopies(copies) : real;
    if (headers.id().isEmpty() || headers.timestamp().isEmpty() || headers.signature().isEmpty()) {
      throw new EnricherHmacVerificationException(HmacFailureReason.MISSING_HEADER);
    }
    return headers;
  }

  private static Headers readCopies(JsonNode copies) {
    return new Headers(
        copy(copies, "webhook-id"),
        copy(copies, "webhook-timestamp"),
        copy(copies, "webhook-signature"));
  }

  private static String copy(JsonNode copies, String name) {
    if (copies == null) return "";
    for (Map.Entry<String, JsonNode> field : copies.properties()) {
      if (field.getKey().equalsIgnoreCase(name)) return toText(field.getValue());
    }
    return "";
  }

  private static String toText(JsonNode value) {
    if (value.isArray()) {
      return String.join(
          " ", StreamSupport.stream(value.spliterator(), false).map(Signature::toText).toList());
    }
    return value.isTextual() ? value.textValue().strip() : value.isNumber() ? value.asText() : "";
  }

  /**
   * Verifies signature and age. The signature comes first, because the age of a forged timestamp
   * means nothing.
   */
  static void verify(List<byte[]> keys, Headers headers, String payload, Instant now) {
    int chars = headers.id().length() + headers.timestamp().length() + headers.signature().length();
    byte[] message =
        chars > MAX_HEADER_CHARS
            ? null
            : tryEncode(headers.id() + "." + headers.timestamp() + "." + payload);
    if (message == null || !hasMatch(headers.signature(), keys, message)) {
      throw new EnricherHmacVerificationException(HmacFailureReason.BAD_SIGNATURE);
    }
    boolean isTime = TIMESTAMP.matcher(headers.timestamp()).matches();
    if (!isTime
        || Math.abs(now.getEpochSecond() - Long.parseLong(headers.timestamp()))
            > TOLERANCE_SECONDS) {
      throw new EnricherHmacVerificationException(HmacFailureReason.STALE_TIMESTAMP);
    }
  }

  /** Returns null for half a surrogate pair, whose bytes would be those of another text. */
  private static byte[] tryEncode(String text) {
    try {
      ByteBuffer buffer = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
      byte[] bytes = new byte[buffer.remaining()];
      buffer.get(bytes);
      return bytes;
    } catch (CharacterCodingException error) {
      return null;
    }
  }

  /**
   * Returns true when one signature matches: an overlap of secrets has two. Compares all, so that
   * the time reveals nothing.
   */
  private static boolean hasMatch(String signature, List<byte[]> keys, byte[] message) {
    List<byte[]> macs = keys.stream().map(key -> Hmac.compute(key, message)).toList();
    boolean matches = false;
    for (String one : BETWEEN.split(signature)) {
      if (!ONE_SIGNATURE.matcher(one).matches()) continue;
      byte[] given = Base64.getDecoder().decode(one.substring("v1,".length()));
      for (byte[] mac : macs) matches |= MessageDigest.isEqual(given, mac);
    }
    return matches;
  }
}
