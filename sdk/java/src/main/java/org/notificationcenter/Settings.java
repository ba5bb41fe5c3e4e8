package org.notificationcenter;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Checks the options of a client. No message holds a value, because these are secrets and messages
 * are logged.
 */
final class Settings {
  /** A test compares it with pom.xml. */
  static final String VERSION = "0.1.0";

  /** Names the variable with the address of the service. */
  static final String URL_VARIABLE = "NOTIFICATION_CENTER_URL";

  static final long DEFAULT_TIMEOUT_MS = 10_000;
  static final List<Long> DEFAULT_RETRY_DELAYS_MS = List.of(1000L, 2000L);

  private static final long MAX_TIMER_MS = Integer.MAX_VALUE;

  /** The prefix of each key. Any other form is accepted, as only the service can judge it. */
  private static final Map<String, String> FORMS =
      Map.of(
          "authSecretKey", "nc_auth_", "sdkSecretKey", "nc_sdk_", "webhookSigningSecret", "whsec_");

  private static final List<String> KNOWN_FORMS =
      List.of("nc_auth_", "nc_sdk_", "whsec_", "nc_front_");
  private static final Pattern PRINTABLE = Pattern.compile("[\\x20-\\x7e]+");

  private Settings() {}

  static String parseText(String value, String name) {
    if (value == null || value.isEmpty()) {
      throw new IllegalArgumentException(name + " must be a text that is not empty.");
    }
    String wanted = FORMS.get(name);
    String begin = value.stripLeading();
    // With the two keys swapped, each event would send the authSecretKey.
    boolean isOther =
        KNOWN_FORMS.stream().anyMatch(form -> !form.equals(wanted) && begin.startsWith(form));
    if (isOther) {
      throw new IllegalArgumentException(
          name + " is another kind of secret: one that begins with " + wanted + " is wanted.");
    }
    // Such as the line feed of a file: unlike that of the sdkSecretKey, which is sent, nothing
    // would say what is wrong.
    boolean isSent = name.equals("sdkSecretKey");
    if (!isSent && begin.startsWith(wanted) && !value.equals(value.strip())) {
      throw new IllegalArgumentException(name + " has white space around it.");
    }
    return value;
  }

  /**
   * Other characters are invalid in a header, and the HTTP client's error would quote the whole
   * header.
   */
  static String parseKey(String value) {
    String key = parseText(value, "sdkSecretKey");
    if (!PRINTABLE.matcher(key.strip()).matches()) {
      throw new IllegalArgumentException("sdkSecretKey holds characters that no key has.");
    }
    return key;
  }

  /** Returns the address without slashes at its end; without a value that of the variable. */
  static String parseUrl(String given, Map<String, String> environment) {
    String value = given == null ? environment.get(URL_VARIABLE) : given;
    if (value == null)
      throw new IllegalArgumentException(
          "baseUrl is missing: the address of your service. It may be in "
              + URL_VARIABLE
              + " as well.");
    URI url = tryUri(value);
    if (url == null
        || url.getHost() == null
        || !("http".equals(url.getScheme()) || "https".equals(url.getScheme()))) {
      throw new IllegalArgumentException("baseUrl (or " + URL_VARIABLE + ") must be an http or https address.");
    }
    if (url.getRawUserInfo() != null) {
      throw new IllegalArgumentException("baseUrl must not hold a user or a password.");
    }
    if (url.getRawQuery() != null || url.getRawFragment() != null) {
      throw new IllegalArgumentException("baseUrl must not hold a query or a fragment.");
    }
    String text = url.toString();
    int end = text.length();
    while (text.charAt(end - 1) == '/') end--;
    return text.substring(0, end);
  }

  private static URI tryUri(String value) {
    try {
      return value == null ? null : new URI(value);
    } catch (URISyntaxException error) {
      return null;
    }
  }

  static long parseTimer(long value, String name) {
    if (value < 0 || value > MAX_TIMER_MS)
      throw new IllegalArgumentException(name + " must be a number of milliseconds.");
    return value;
  }
}
