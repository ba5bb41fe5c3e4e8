/**
 * Checks the params of enrichers by JSON Schema. {@link
 * org.notificationcenter.jsonschema.JsonSchema} is the entry.
 */
package org.notificationcenter.jsonschema;
