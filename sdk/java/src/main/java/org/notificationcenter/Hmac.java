package org.notificationcenter;

import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Computes HMAC-SHA256. */
final class Hmac {
  private static final String ALGORITHM = "HmacSHA256";

  private Hmac() {}

  static byte[] compute(byte[] key, byte[] message) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      return mac.doFinal(message);
    } catch (GeneralSecurityException error) {
      throw new IllegalStateException("Every Java platform has HmacSHA256.", error);
    }
  }
}
