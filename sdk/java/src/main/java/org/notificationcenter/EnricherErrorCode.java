package org.notificationcenter;

/** Names the kinds of failure of a dispatch, with the text in the answer and its HTTP status. */
public enum EnricherErrorCode {
  /** The params do not fit the schema. */
  INPUT_INVALID("input-invalid", 400),
  /** The service has not signed the call, it is for another enricher, or it is too old. */
  HMAC_INVALID("hmac-invalid", 401),
  /** No enricher of that name is registered on the client. */
  ENRICHER_NOT_FOUND("enricher-not-found", 404),
  /** The handler threw, or its result cannot be written as JSON. */
  HANDLER_ERROR("handler-error", 500),
  /** Any other failure; also a client without a signing secret. */
  INTERNAL("internal", 500);

  private final String value;
  private final int status;

  EnricherErrorCode(String value, int status) {
    this.value = value;
    this.status = status;
  }

  /**
   * Returns the code as it stands in the answer.
   *
   * @return a text such as {@code input-invalid}
   */
  public String value() {
    return value;
  }

  /**
   * Returns the HTTP status to answer with.
   *
   * @return 400 to 500
   */
  public int status() {
    return status;
  }
}
