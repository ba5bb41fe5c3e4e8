package org.notificationcenter;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;

/**
 * Holds what a handler receives beside its params.
 *
 * @param name the name of the enricher
 * @param id equal for each attempt of one call, so that a handler can recognise a repeat
 * @param user the user of the campaign: {@code id}, {@code locale}, …
 * @param event the event of the campaign: {@code name}, {@code properties}, …
 * @param sentAt when the service sent this attempt
 */
public record EnricherContext(
    String name, String id, JsonNode user, JsonNode event, Instant sentAt) {}
