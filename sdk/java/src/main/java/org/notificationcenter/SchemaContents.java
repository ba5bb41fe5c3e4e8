package org.notificationcenter;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Creates the checks of items and properties. */
final class SchemaContents {
  private static final Set<String> KEYWORDS =
      Set.of("required", "uniqueItems", "dependentRequired");

  private final SchemaFrame frame;

  private SchemaContents(SchemaFrame frame) {
    this.frame = frame;
  }

  static void addChecks(SchemaFrame frame) {
    SchemaContents keywords = new SchemaContents(frame);
    keywords.addItems();
    keywords.addContains();
    keywords.addProperties();
    keywords.addDependencies();
  }

  static boolean isKeyword(String name) {
    return KEYWORDS.contains(name);
  }

  private void addItems() {
    boolean isOldList = frame.schema().path("items").isArray();
    String list = isOldList ? "items" : "prefixItems";
    SchemaCheck rest = frame.parts().get(isOldList ? "additionalItems" : "items");
    List<SchemaCheck> first = new ArrayList<>();
    for (int i = 0; frame.parts().containsKey(list + "/" + i); i++)
      first.add(frame.parts().get(list + "/" + i));
    if (!first.isEmpty() || rest != null) {
      frame
          .checks()
          .add(
              (value, at, outcome) -> {
                if (!value.isArray()) return;
                for (int i = 0; i < value.size(); i++) {
                  SchemaCheck check = i < first.size() ? first.get(i) : rest;
                  if (check == null) continue;
                  outcome.items.set(i);
                  check.checkPart(value.get(i), at + "/" + i, outcome);
                }
              });
    }
    JsonNode unique = frame.schema().get("uniqueItems");
    if (unique != null && !unique.isBoolean())
      throw frame.fault("uniqueItems", "must be true or false");
    if (unique == null || !unique.booleanValue()) return;
    frame.add(
        "uniqueItems",
        "must not repeat an item",
        value -> {
          Set<String> seen = new HashSet<>();
          if (value.isArray())
            for (JsonNode item : value) if (!seen.add(Json.canonical(item))) return false;
          return true;
        });
  }

  private void addContains() {
    SchemaCheck contains = frame.parts().get("contains");
    if (contains == null) return;
    BigDecimal least =
        frame.schema().has("minContains")
            ? Json.decimal(frame.schema().get("minContains"))
            : BigDecimal.ONE;
    BigDecimal most =
        frame.schema().has("maxContains") ? Json.decimal(frame.schema().get("maxContains")) : null;
    frame
        .checks()
        .add(
            (value, at, outcome) -> {
              if (!value.isArray()) return;
              int found = 0;
              for (int i = 0; i < value.size(); i++) {
                if (!contains.fits(value.get(i), at + "/" + i, SchemaOutcome.create())) continue;
                if (!frame.isFormerDraft()) outcome.items.set(i);
                found++;
              }
              BigDecimal count = BigDecimal.valueOf(found);
              if (count.compareTo(least) >= 0 && (most == null || count.compareTo(most) <= 0))
                return;
              outcome.issues.add(
                  frame.issue("contains", at, "has " + found + " items that fit contains"));
            });
  }

  private void addProperties() {
    Map<String, SchemaCheck> named = frame.partsOf("properties");
    Map<Pattern, SchemaCheck> byPattern = new HashMap<>();
    frame
        .partsOf("patternProperties")
        .forEach((text, check) -> byPattern.put(frame.pattern(text, "patternProperties"), check));
    SchemaCheck others = frame.parts().get("additionalProperties");
    SchemaCheck names = frame.parts().get("propertyNames");
    frame
        .checks()
        .add(
            (value, at, outcome) -> {
              if (!value.isObject()) return;
              value
                  .properties()
                  .forEach(
                      field -> {
                        String name = field.getKey();
                        String place = at + "/" + name.replace("~", "~0").replace("/", "~1");
                        SchemaCheck own = named.get(name);
                        if (own != null) own.checkPart(field.getValue(), place, outcome);
                        boolean isKnown = own != null;
                        for (Map.Entry<Pattern, SchemaCheck> entry : byPattern.entrySet()) {
                          if (!entry.getKey().matcher(name).find()) continue;
                          isKnown = true;
                          entry.getValue().checkPart(field.getValue(), place, outcome);
                        }
                        if (!isKnown && others != null)
                          others.checkPart(field.getValue(), place, outcome);
                        if (isKnown || others != null) outcome.names.add(name);
                        if (names != null)
                          names.checkPart(
                              Json.MAPPER.getNodeFactory().textNode(name), place, outcome);
                      });
            });
    if (frame.schema().has("required"))
      addRequired("required", null, frame.texts(frame.schema().get("required"), "required"));
  }

  private void addDependencies() {
    for (String keyword : List.of("dependentRequired", "dependencies")) {
      JsonNode map = frame.schema().get(keyword);
      if (map == null) continue;
      if (!map.isObject()) throw frame.fault(keyword, "must be an object");
      map.properties()
          .forEach(
              field -> {
                boolean isList = field.getValue().isArray();
                if (isList)
                  addRequired(
                      keyword,
                      field.getKey(),
                      frame.texts(field.getValue(), keyword + "/" + field.getKey()));
                else if (keyword.equals("dependentRequired"))
                  throw frame.fault(keyword + "/" + field.getKey(), "must be a list of texts");
              });
    }
    for (String keyword : List.of("dependentSchemas", "dependencies")) {
      frame
          .partsOf(keyword)
          .forEach(
              (name, check) ->
                  frame
                      .checks()
                      .add(
                          (value, at, outcome) -> {
                            if (value.isObject() && value.has(name))
                              check.check(value, at, outcome);
                          }));
    }
  }

  /** Requires names; with {@code condition} only beside that name. */
  private void addRequired(String keyword, String condition, List<String> names) {
    frame
        .checks()
        .add(
            (value, at, outcome) -> {
              if (!value.isObject() || (condition != null && !value.has(condition))) return;
              for (String name : names) {
                if (!value.has(name))
                  outcome.issues.add(
                      frame.issue(keyword, at, "must have the property \"" + name + "\""));
              }
            });
  }
}
