package org.notificationcenter;

/**
 * Reports a registration with a duplicate or empty name, an invalid schema, or no handler. A {@link
 * ParamsSchema} of your own may throw it for an invalid schema.
 */
public final class EnricherRegistrationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message what is wrong, and where
   */
  public EnricherRegistrationException(String message) {
    super(message);
  }
}
