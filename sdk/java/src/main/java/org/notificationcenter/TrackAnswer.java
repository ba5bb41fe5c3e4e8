package org.notificationcenter;

import java.time.Instant;

/**
 * Reports that the service has stored an event on disk.
 *
 * @param eventId the id of the event
 * @param correlationId the id that connects the event with all that follows from it; null when the
 *     answer has none
 * @param duplicate true when the service had this idempotency key already and did nothing more
 * @param receivedAt when the service received the event first; null when the answer has no valid
 *     instant
 */
public record TrackAnswer(
    String eventId, String correlationId, boolean duplicate, Instant receivedAt) {}
