package org.notificationcenter;

/** Names why the signature of a call was refused. */
public enum HmacFailureReason {
  /** One of the three headers is missing. */
  MISSING_HEADER(
      "missing-header", "webhook-id, webhook-timestamp and webhook-signature are needed."),
  /** No signature belongs to this call. */
  BAD_SIGNATURE("bad-signature", "The signature does not belong to this call."),
  /** The timestamp is more than five minutes off. */
  STALE_TIMESTAMP("stale-timestamp", "The timestamp is more than five minutes off.");

  private final String value;
  private final String message;

  HmacFailureReason(String value, String message) {
    this.value = value;
    this.message = message;
  }

  /**
   * Returns the reason as it stands in the answer.
   *
   * @return a text such as {@code bad-signature}
   */
  public String value() {
    return value;
  }

  String message() {
    return message;
  }
}
