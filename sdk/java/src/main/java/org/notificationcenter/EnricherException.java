package org.notificationcenter;

/**
 * Reports a failed dispatch. {@link NotificationClient#dispatch} never throws it: the answer holds
 * it. Without a subclass its code is {@link EnricherErrorCode#INTERNAL}.
 */
public class EnricherException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The kind of failure. */
  private final EnricherErrorCode code;

  EnricherException(String message, Throwable cause) {
    this(EnricherErrorCode.INTERNAL, message, cause);
  }

  EnricherException(EnricherErrorCode code, String message, Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  /**
   * Returns the kind of failure.
   *
   * @return the code
   */
  public EnricherErrorCode code() {
    return code;
  }

  /**
   * Returns the HTTP status to answer with.
   *
   * @return 400 to 500
   */
  public int status() {
    return code.status();
  }
}
