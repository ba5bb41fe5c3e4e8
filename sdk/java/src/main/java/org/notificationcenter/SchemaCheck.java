package org.notificationcenter;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** Checks one value by a compiled schema, or by one of its keywords. */
@FunctionalInterface
interface SchemaCheck {
  /** Adds the issues of the value, which is at the place {@code at} of the params. */
  void check(JsonNode value, String at, List<ParamsIssue> issues);

  /** Returns whether the value fits. */
  default boolean fits(JsonNode value, String at) {
    List<ParamsIssue> issues = new ArrayList<>();
    check(value, at, issues);
    return issues.isEmpty();
  }
}
