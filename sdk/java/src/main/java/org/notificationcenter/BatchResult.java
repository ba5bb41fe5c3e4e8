package org.notificationcenter;

/**
 * Reports what became of one event of a batch: either {@code eventId} or {@code code} is set.
 *
 * @param eventId the id of the stored event; null for a refused one
 * @param duplicate true when the service had this idempotency key already
 * @param code the error code of a refused event, such as {@code event/invalid-name}; null for a
 *     stored one
 * @param message the error for people; null for a stored event
 * @param reason the reason of some codes; else null
 */
public record BatchResult(
    String eventId, boolean duplicate, String code, String message, String reason) {
  /**
   * Returns whether the service has stored the event.
   *
   * @return false for a refused event
   */
  public boolean isAccepted() {
    return eventId != null;
  }
}
