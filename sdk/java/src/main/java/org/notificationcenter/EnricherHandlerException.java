package org.notificationcenter;

/**
 * Reports a handler that threw, or whose result cannot be written as JSON. The cause is the
 * original error, which is not sent to the service.
 */
public final class EnricherHandlerException extends EnricherException {
  private static final long serialVersionUID = 1L;

  EnricherHandlerException(String message, Throwable cause) {
    super(EnricherErrorCode.HANDLER_ERROR, message, cause);
  }
}
