package org.notificationcenter;

/**
 * Reports a call that the service has not signed, that is for another enricher, or that is too old.
 */
public final class EnricherHmacVerificationException extends EnricherException {
  private static final long serialVersionUID = 1L;

  /** Why the call was refused. */
  private final HmacFailureReason reason;

  EnricherHmacVerificationException(HmacFailureReason reason) {
    super(EnricherErrorCode.HMAC_INVALID, reason.message(), null);
    this.reason = reason;
  }

  /**
   * Returns why the call was refused.
   *
   * @return the reason
   */
  public HmacFailureReason reason() {
    return reason;
  }
}
