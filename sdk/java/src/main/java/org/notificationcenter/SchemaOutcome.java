package org.notificationcenter;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Collects what the checks of one value find: its issues, and the properties and items that a
 * keyword has evaluated.
 */
final class SchemaOutcome {
  final List<ParamsIssue> issues;
  final Set<String> names = new HashSet<>();
  final BitSet items = new BitSet();

  private SchemaOutcome(List<ParamsIssue> issues) {
    this.issues = issues;
  }

  /** Creates an outcome without issues. */
  static SchemaOutcome create() {
    return new SchemaOutcome(new ArrayList<>());
  }

  /**
   * Creates the outcome of a part of the value, or of a schema within: its issues are those of this
   * one.
   */
  SchemaOutcome inner() {
    return new SchemaOutcome(issues);
  }

  /** Takes over what a schema that the value fits has evaluated. */
  void absorb(SchemaOutcome other) {
    names.addAll(other.names);
    items.or(other.items);
  }
}
