package org.notificationcenter;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

/** Creates the checks of schemas that combine others, and of what none of them has evaluated. */
final class SchemaCombinations {
  private final SchemaFrame frame;

  private SchemaCombinations(SchemaFrame frame) {
    this.frame = frame;
  }

  static void addChecks(SchemaFrame frame) {
    SchemaCombinations keywords = new SchemaCombinations(frame);
    keywords.addCombinations();
    keywords.addUnevaluated();
  }

  private void addCombinations() {
    for (Map.Entry<String, SchemaCheck> part : frame.parts().entrySet()) {
      if (part.getKey().startsWith("allOf/")) frame.checks().add(part.getValue());
    }
    addChoice("anyOf", found -> found >= 1);
    addChoice("oneOf", found -> found == 1);
    SchemaCheck not = frame.parts().get("not");
    if (not != null) {
      frame
          .checks()
          .add(
              (value, at, outcome) -> {
                if (not.fits(value, at, SchemaOutcome.create()))
                  outcome.issues.add(frame.issue("not", at, "must not fit the schema"));
              });
    }
    SchemaCheck condition = frame.parts().get("if");
    if (condition == null) return;
    frame
        .checks()
        .add(
            (value, at, outcome) -> {
              SchemaCheck next =
                  frame.parts().get(condition.fits(value, at, outcome) ? "then" : "else");
              if (next != null) next.check(value, at, outcome);
            });
  }

  private void addUnevaluated() {
    SchemaCheck properties = frame.parts().get("unevaluatedProperties");
    if (properties != null) {
      frame
          .checks()
          .add(
              (value, at, outcome) -> {
                if (!value.isObject()) return;
                for (Map.Entry<String, JsonNode> field : value.properties()) {
                  if (!outcome.names.add(field.getKey())) continue;
                  properties.checkPart(
                      field.getValue(),
                      at + "/" + field.getKey().replace("~", "~0").replace("/", "~1"),
                      outcome);
                }
              });
    }
    SchemaCheck items = frame.parts().get("unevaluatedItems");
    if (items == null) return;
    frame
        .checks()
        .add(
            (value, at, outcome) -> {
              for (int i = 0; value.isArray() && i < value.size(); i++) {
                if (outcome.items.get(i)) continue;
                outcome.items.set(i);
                items.checkPart(value.get(i), at + "/" + i, outcome);
              }
            });
  }

  private void addChoice(String keyword, IntPredicate isEnough) {
    List<SchemaCheck> choices = List.copyOf(frame.partsOf(keyword).values());
    if (choices.isEmpty()) return;
    frame
        .checks()
        .add(
            (value, at, outcome) -> {
              int found = 0;
              for (SchemaCheck choice : choices) if (choice.fits(value, at, outcome)) found++;
              if (isEnough.test(found)) return;
              outcome.issues.add(
                  frame.issue(
                      keyword, at, "fits " + found + " of the " + choices.size() + " schemas"));
            });
  }
}
