package org.notificationcenter;

import com.fasterxml.jackson.databind.JsonNode;

/** Checks one value by a compiled schema, or by one of its keywords. */
@FunctionalInterface
interface SchemaCheck {
  /**
   * Adds the issues of the value, which is at the place {@code at} of the params, and what was
   * evaluated of it.
   */
  void check(JsonNode value, String at, SchemaOutcome outcome);

  /** Checks a part of the value that {@code outcome} belongs to. */
  default void checkPart(JsonNode part, String at, SchemaOutcome outcome) {
    check(part, at, outcome.inner());
  }

  /** Returns whether the value fits; then {@code outcome} takes over what was evaluated. */
  default boolean fits(JsonNode value, String at, SchemaOutcome outcome) {
    SchemaOutcome own = SchemaOutcome.create();
    check(value, at, own);
    if (!own.issues.isEmpty()) return false;
    outcome.absorb(own);
    return true;
  }
}
