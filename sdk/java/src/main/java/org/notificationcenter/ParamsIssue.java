package org.notificationcenter;

/**
 * Describes one issue of params. The service shows it to the people who write campaigns, so it
 * holds no secret.
 *
 * @param keyword the keyword of JSON Schema that the value violates, or a word of another schema
 * @param keywordLocation the place in the schema, such as {@code #/properties/orderId/type}; null
 *     without JSON Schema
 * @param instanceLocation the place in the params, such as {@code #/orderId}
 * @param error the issue for people
 */
public record ParamsIssue(
    String keyword, String keywordLocation, String instanceLocation, String error) {}
