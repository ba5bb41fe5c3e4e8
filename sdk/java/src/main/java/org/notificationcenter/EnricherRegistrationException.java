package org.notificationcenter;

/** Reports a registration with a duplicate or empty name, an invalid schema, or no handler. */
public final class EnricherRegistrationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  EnricherRegistrationException(String message) {
    super(message);
  }
}
