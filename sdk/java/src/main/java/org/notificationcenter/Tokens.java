package org.notificationcenter;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;

/** Computes user tokens, which a backend gives to its page so that the widget can sign in. */
final class Tokens {
  private static final int USER_ID_CHARS = 256;

  /** The service reads at most twelve digits. */
  private static final long LAST_SECONDS = 999_999_999_999L;

  private Tokens() {}

  static String create(byte[] key, String userId) {
    checkUserId(userId);
    return hmacHex(key, userId);
  }

  static String create(byte[] key, String userId, Instant expiresAt) {
    checkUserId(userId);
    if (expiresAt == null) throw new IllegalArgumentException("expiresAt must be an instant.");
    long seconds = expiresAt.getEpochSecond();
    if (seconds < 0 || seconds > LAST_SECONDS) {
      throw new IllegalArgumentException("expiresAt must lie between 1970 and the year 33658.");
    }
    return "v2." + seconds + "." + hmacHex(key, "v2\n" + seconds + "\n" + userId);
  }

  // A line feed separates the signed fields of an expiring token, so an id must not contain one.
  private static void checkUserId(String userId) {
    if (userId == null || userId.isEmpty()) {
      throw new IllegalArgumentException("userId must be a text of 1 to 256 characters.");
    }
    if (userId.length() > 2 * USER_ID_CHARS
        || userId.codePointCount(0, userId.length()) > USER_ID_CHARS) {
      throw new IllegalArgumentException("userId is longer than 256 characters.");
    }
    if (userId.codePoints().anyMatch(Tokens::isForbidden)) {
      throw new IllegalArgumentException(
          "userId holds a control character or half a surrogate pair.");
    }
  }

  private static boolean isForbidden(int character) {
    int type = Character.getType(character);
    return type == Character.CONTROL || type == Character.SURROGATE;
  }

  private static String hmacHex(byte[] key, String message) {
    return HexFormat.of().formatHex(Hmac.compute(key, message.getBytes(StandardCharsets.UTF_8)));
  }
}
