package org.notificationcenter;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Creates the checks of the keywords of one schema. */
final class SchemaKeywords {
  private static final Set<String> COUNTS =
      Set.of(
          "minLength",
          "maxLength",
          "minItems",
          "maxItems",
          "minContains",
          "maxContains",
          "minProperties",
          "maxProperties");
  private static final Set<String> NUMBERS =
      Set.of("minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum");
  private static final Set<String> OTHERS =
      Set.of("type", "enum", "const", "pattern", "required", "uniqueItems", "dependentRequired");
  private static final Set<String> TYPES =
      Set.of("array", "boolean", "integer", "null", "number", "object", "string");

  private final JsonNode schema;
  private final String place;

  /** The compiled schemas within this one, by keyword and name. */
  private final Map<String, SchemaCheck> parts;

  private final List<SchemaCheck> checks;

  /** True before 2020-12, where `contains` evaluates no items. */
  private final boolean isFormerDraft;

  private SchemaKeywords(
      JsonNode schema,
      String place,
      Map<String, SchemaCheck> parts,
      List<SchemaCheck> checks,
      boolean isFormerDraft) {
    this.schema = schema;
    this.isFormerDraft = isFormerDraft;
    this.place = place;
    this.parts = parts;
    this.checks = checks;
  }

  static boolean isKeyword(String name) {
    return COUNTS.contains(name) || NUMBERS.contains(name) || OTHERS.contains(name);
  }

  static void addChecks(
      JsonNode schema,
      String place,
      Map<String, SchemaCheck> parts,
      List<SchemaCheck> checks,
      boolean isFormerDraft) {
    SchemaKeywords keywords = new SchemaKeywords(schema, place, parts, checks, isFormerDraft);
    keywords.addValues();
    keywords.addBounds();
    keywords.addTexts();
    keywords.addItems();
    keywords.addContains();
    keywords.addProperties();
    keywords.addDependencies();
    keywords.addCombinations();
    keywords.addUnevaluated();
  }

  private void addValues() {
    JsonNode type = schema.get("type");
    if (type != null) {
      List<String> names = type.isArray() ? texts(type, "type") : List.of(type.asText());
      for (String name : names) {
        boolean isType = TYPES.contains(name) && (type.isArray() || type.isTextual());
        if (!isType) throw fault("type", "\"" + name + "\" is no type");
      }
      if (names.isEmpty()) throw fault("type", "must name a type");
      add(
          "type",
          "must be " + String.join(" or ", names),
          value -> names.stream().anyMatch(name -> isOf(name, value)));
    }
    if (schema.has("const")) {
      String wanted = Json.canonical(schema.get("const"));
      add("const", "must be " + schema.get("const"), value -> wanted.equals(Json.canonical(value)));
    }
    if (!schema.has("enum")) return;
    if (!schema.get("enum").isArray()) throw fault("enum", "must be a list");
    Set<String> allowed = new HashSet<>();
    for (JsonNode one : schema.get("enum")) allowed.add(Json.canonical(one));
    add(
        "enum",
        "must be one of " + schema.get("enum"),
        value -> allowed.contains(Json.canonical(value)));
  }

  private static boolean isOf(String type, JsonNode value) {
    return switch (type) {
      case "array" -> value.isArray();
      case "boolean" -> value.isBoolean();
      case "integer" -> value.isNumber() && Json.decimal(value).stripTrailingZeros().scale() <= 0;
      case "null" -> value.isNull();
      case "number" -> value.isNumber();
      case "object" -> value.isObject();
      default -> value.isTextual();
    };
  }

  private void addBounds() {
    for (String keyword : NUMBERS) {
      JsonNode bound = schema.get(keyword);
      // In draft 4 true makes `minimum` exclusive.
      boolean isDraft4 = bound != null && bound.isBoolean() && keyword.startsWith("exclusive");
      if (bound == null || isDraft4) continue;
      if (!bound.isNumber()) throw fault(keyword, "must be a number");
      BigDecimal limit = Json.decimal(bound);
      if (keyword.equals("multipleOf") && limit.signum() <= 0)
        throw fault(keyword, "must be above 0");
      add(
          keyword,
          "violates " + keyword + " " + bound,
          value -> !value.isNumber() || isWithin(keyword, value, limit));
    }
  }

  private boolean isWithin(String keyword, JsonNode value, BigDecimal limit) {
    BigDecimal number = Json.decimal(value);
    int order = number.compareTo(limit);
    return switch (keyword) {
      case "minimum" ->
          schema.path("exclusiveMinimum").asBoolean() && isBoolean("exclusiveMinimum")
              ? order > 0
              : order >= 0;
      case "maximum" ->
          schema.path("exclusiveMaximum").asBoolean() && isBoolean("exclusiveMaximum")
              ? order < 0
              : order <= 0;
      case "exclusiveMinimum" -> order > 0;
      case "exclusiveMaximum" -> order < 0;
      default -> number.remainder(limit).signum() == 0;
    };
  }

  private boolean isBoolean(String keyword) {
    return schema.path(keyword).isBoolean();
  }

  private void addTexts() {
    for (String keyword : COUNTS) {
      JsonNode count = schema.get(keyword);
      boolean isCount =
          count == null || (isOf("integer", count) && Json.decimal(count).signum() >= 0);
      if (!isCount) throw fault(keyword, "must be a count");
    }
    addCount(
        "Length",
        JsonNode::isTextual,
        value -> value.textValue().codePointCount(0, value.textValue().length()));
    addCount("Items", JsonNode::isArray, JsonNode::size);
    addCount("Properties", JsonNode::isObject, JsonNode::size);
    JsonNode pattern = schema.get("pattern");
    if (pattern == null) return;
    if (!pattern.isTextual()) throw fault("pattern", "must be a pattern");
    Pattern compiled = pattern(pattern.textValue(), "pattern");
    add(
        "pattern",
        "must match " + pattern.textValue(),
        value -> !value.isTextual() || compiled.matcher(value.textValue()).find());
  }

  private void addCount(String what, Predicate<JsonNode> isMeant, ToIntFunction<JsonNode> count) {
    for (String keyword : List.of("min" + what, "max" + what)) {
      JsonNode limit = schema.get(keyword);
      if (limit == null) continue;
      boolean isMinimum = keyword.startsWith("min");
      add(
          keyword,
          "violates " + keyword + " " + limit,
          value -> {
            if (!isMeant.test(value)) return true;
            int order = BigDecimal.valueOf(count.applyAsInt(value)).compareTo(Json.decimal(limit));
            return isMinimum ? order >= 0 : order <= 0;
          });
    }
  }

  private void addItems() {
    boolean isOldList = schema.path("items").isArray();
    String list = isOldList ? "items" : "prefixItems";
    SchemaCheck rest = parts.get(isOldList ? "additionalItems" : "items");
    List<SchemaCheck> first = new ArrayList<>();
    for (int i = 0; parts.containsKey(list + "/" + i); i++) first.add(parts.get(list + "/" + i));
    if (!first.isEmpty() || rest != null) {
      checks.add(
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
    JsonNode unique = schema.get("uniqueItems");
    if (unique != null && !unique.isBoolean()) throw fault("uniqueItems", "must be true or false");
    if (unique == null || !unique.booleanValue()) return;
    add(
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
    SchemaCheck contains = parts.get("contains");
    if (contains == null) return;
    BigDecimal least =
        schema.has("minContains") ? Json.decimal(schema.get("minContains")) : BigDecimal.ONE;
    BigDecimal most = schema.has("maxContains") ? Json.decimal(schema.get("maxContains")) : null;
    checks.add(
        (value, at, outcome) -> {
          if (!value.isArray()) return;
          int found = 0;
          for (int i = 0; i < value.size(); i++) {
            if (!contains.fits(value.get(i), at + "/" + i, SchemaOutcome.create())) continue;
            if (!isFormerDraft) outcome.items.set(i);
            found++;
          }
          BigDecimal count = BigDecimal.valueOf(found);
          if (count.compareTo(least) >= 0 && (most == null || count.compareTo(most) <= 0)) return;
          outcome.issues.add(issue("contains", at, "has " + found + " items that fit contains"));
        });
  }

  private void addProperties() {
    Map<String, SchemaCheck> named = partsOf("properties");
    Map<Pattern, SchemaCheck> byPattern = new HashMap<>();
    partsOf("patternProperties")
        .forEach((text, check) -> byPattern.put(pattern(text, "patternProperties"), check));
    SchemaCheck others = parts.get("additionalProperties");
    SchemaCheck names = parts.get("propertyNames");
    checks.add(
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
                      names.checkPart(Json.MAPPER.getNodeFactory().textNode(name), place, outcome);
                  });
        });
    if (schema.has("required"))
      addRequired("required", null, texts(schema.get("required"), "required"));
  }

  private void addDependencies() {
    for (String keyword : List.of("dependentRequired", "dependencies")) {
      JsonNode map = schema.get(keyword);
      if (map == null) continue;
      if (!map.isObject()) throw fault(keyword, "must be an object");
      map.properties()
          .forEach(
              field -> {
                boolean isList = field.getValue().isArray();
                if (isList)
                  addRequired(
                      keyword,
                      field.getKey(),
                      texts(field.getValue(), keyword + "/" + field.getKey()));
                else if (keyword.equals("dependentRequired"))
                  throw fault(keyword + "/" + field.getKey(), "must be a list of texts");
              });
    }
    for (String keyword : List.of("dependentSchemas", "dependencies")) {
      partsOf(keyword)
          .forEach(
              (name, check) ->
                  checks.add(
                      (value, at, outcome) -> {
                        if (value.isObject() && value.has(name)) check.check(value, at, outcome);
                      }));
    }
  }

  /** Requires names; with {@code condition} only beside that name. */
  private void addRequired(String keyword, String condition, List<String> names) {
    checks.add(
        (value, at, outcome) -> {
          if (!value.isObject() || (condition != null && !value.has(condition))) return;
          for (String name : names) {
            if (!value.has(name))
              outcome.issues.add(issue(keyword, at, "must have the property \"" + name + "\""));
          }
        });
  }

  private void addCombinations() {
    for (Map.Entry<String, SchemaCheck> part : parts.entrySet()) {
      if (part.getKey().startsWith("allOf/")) checks.add(part.getValue());
    }
    addChoice("anyOf", found -> found >= 1);
    addChoice("oneOf", found -> found == 1);
    SchemaCheck not = parts.get("not");
    if (not != null) {
      checks.add(
          (value, at, outcome) -> {
            if (not.fits(value, at, SchemaOutcome.create()))
              outcome.issues.add(issue("not", at, "must not fit the schema"));
          });
    }
    SchemaCheck condition = parts.get("if");
    if (condition == null) return;
    checks.add(
        (value, at, outcome) -> {
          SchemaCheck next = parts.get(condition.fits(value, at, outcome) ? "then" : "else");
          if (next != null) next.check(value, at, outcome);
        });
  }

  /**
   * Checks what no keyword of this schema, or of one that the value fits, has evaluated. Comes last
   * for that reason.
   */
  private void addUnevaluated() {
    SchemaCheck properties = parts.get("unevaluatedProperties");
    if (properties != null) {
      checks.add(
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
    SchemaCheck items = parts.get("unevaluatedItems");
    if (items == null) return;
    checks.add(
        (value, at, outcome) -> {
          for (int i = 0; value.isArray() && i < value.size(); i++) {
            if (outcome.items.get(i)) continue;
            outcome.items.set(i);
            items.checkPart(value.get(i), at + "/" + i, outcome);
          }
        });
  }

  private void addChoice(String keyword, IntPredicate isEnough) {
    List<SchemaCheck> choices = List.copyOf(partsOf(keyword).values());
    if (choices.isEmpty()) return;
    checks.add(
        (value, at, outcome) -> {
          int found = 0;
          for (SchemaCheck choice : choices) if (choice.fits(value, at, outcome)) found++;
          if (isEnough.test(found)) return;
          outcome.issues.add(
              issue(keyword, at, "fits " + found + " of the " + choices.size() + " schemas"));
        });
  }

  private Map<String, SchemaCheck> partsOf(String keyword) {
    Map<String, SchemaCheck> found = new LinkedHashMap<>();
    parts.forEach(
        (key, check) -> {
          if (key.startsWith(keyword + "/")) found.put(key.substring(keyword.length() + 1), check);
        });
    return found;
  }

  private List<String> texts(JsonNode list, String keyword) {
    if (!list.isArray()) throw fault(keyword, "must be a list of texts");
    Set<String> texts = new LinkedHashSet<>();
    for (JsonNode one : list) {
      if (!one.isTextual()) throw fault(keyword, "must be a list of texts");
      texts.add(one.textValue());
    }
    return List.copyOf(texts);
  }

  private Pattern pattern(String text, String keyword) {
    try {
      return SchemaPattern.compile(text);
    } catch (PatternSyntaxException error) {
      throw fault(keyword, "\"" + text + "\" is no regular expression");
    }
  }

  private void add(String keyword, String message, Predicate<JsonNode> isFit) {
    checks.add(
        (value, at, outcome) -> {
          if (!isFit.test(value)) outcome.issues.add(issue(keyword, at, message));
        });
  }

  private ParamsIssue issue(String keyword, String at, String message) {
    return new ParamsIssue(keyword, place + "/" + keyword, at, message);
  }

  private SchemaCompiler.Fault fault(String keyword, String message) {
    return new SchemaCompiler.Fault(place + "/" + keyword + ": " + message);
  }
}
