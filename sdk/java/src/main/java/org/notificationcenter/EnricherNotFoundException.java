package org.notificationcenter;

/** Reports a call of an enricher that is not registered on this client. */
public final class EnricherNotFoundException extends EnricherException {
  private static final long serialVersionUID = 1L;

  EnricherNotFoundException(String enricher) {
    super(
        EnricherErrorCode.ENRICHER_NOT_FOUND,
        "No enricher \"" + enricher + "\" is registered here.",
        null);
  }
}
