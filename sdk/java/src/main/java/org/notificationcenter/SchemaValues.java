package org.notificationcenter;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.regex.Pattern;

/** Creates the checks of types, values, bounds and texts. */
final class SchemaValues {
  private static final Set<String> VALUES = Set.of("type", "enum", "const", "pattern");
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
  private static final Set<String> TYPES =
      Set.of("array", "boolean", "integer", "null", "number", "object", "string");

  private final SchemaFrame frame;

  private SchemaValues(SchemaFrame frame) {
    this.frame = frame;
  }

  static boolean isKeyword(String name) {
    return COUNTS.contains(name) || NUMBERS.contains(name) || VALUES.contains(name);
  }

  static void addChecks(SchemaFrame frame) {
    SchemaValues keywords = new SchemaValues(frame);
    keywords.addValues();
    keywords.addBounds();
    keywords.addTexts();
  }

  private void addValues() {
    JsonNode type = frame.schema().get("type");
    if (type != null) {
      List<String> names = type.isArray() ? frame.texts(type, "type") : List.of(type.asText());
      for (String name : names) {
        boolean isType = TYPES.contains(name) && (type.isArray() || type.isTextual());
        if (!isType) throw frame.fault("type", "\"" + name + "\" is no type");
      }
      if (names.isEmpty()) throw frame.fault("type", "must name a type");
      frame.add(
          "type",
          "must be " + String.join(" or ", names),
          value -> names.stream().anyMatch(name -> isOf(name, value)));
    }
    if (frame.schema().has("const")) {
      String wanted = Json.canonical(frame.schema().get("const"));
      frame.add(
          "const",
          "must be " + frame.schema().get("const"),
          value -> wanted.equals(Json.canonical(value)));
    }
    if (!frame.schema().has("enum")) return;
    if (!frame.schema().get("enum").isArray()) throw frame.fault("enum", "must be a list");
    Set<String> allowed = new HashSet<>();
    for (JsonNode one : frame.schema().get("enum")) allowed.add(Json.canonical(one));
    frame.add(
        "enum",
        "must be one of " + frame.schema().get("enum"),
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
      JsonNode bound = frame.schema().get(keyword);
      // In draft 4 true makes `minimum` exclusive.
      boolean isDraft4 = bound != null && bound.isBoolean() && keyword.startsWith("exclusive");
      if (bound == null || isDraft4) continue;
      if (!bound.isNumber()) throw frame.fault(keyword, "must be a number");
      BigDecimal limit = Json.decimal(bound);
      if (keyword.equals("multipleOf") && limit.signum() <= 0)
        throw frame.fault(keyword, "must be above 0");
      frame.add(
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
          frame.schema().path("exclusiveMinimum").asBoolean() && isBoolean("exclusiveMinimum")
              ? order > 0
              : order >= 0;
      case "maximum" ->
          frame.schema().path("exclusiveMaximum").asBoolean() && isBoolean("exclusiveMaximum")
              ? order < 0
              : order <= 0;
      case "exclusiveMinimum" -> order > 0;
      case "exclusiveMaximum" -> order < 0;
      default -> number.remainder(limit).signum() == 0;
    };
  }

  private boolean isBoolean(String keyword) {
    return frame.schema().path(keyword).isBoolean();
  }

  private void addTexts() {
    for (String keyword : COUNTS) {
      JsonNode count = frame.schema().get(keyword);
      boolean isCount =
          count == null || (isOf("integer", count) && Json.decimal(count).signum() >= 0);
      if (!isCount) throw frame.fault(keyword, "must be a count");
    }
    addCount(
        "Length",
        JsonNode::isTextual,
        value -> value.textValue().codePointCount(0, value.textValue().length()));
    addCount("Items", JsonNode::isArray, JsonNode::size);
    addCount("Properties", JsonNode::isObject, JsonNode::size);
    String format = Json.text(frame.schema(), "format");
    if (format != null) {
      frame.add(
          "format",
          "must be of the format " + format,
          value -> !value.isTextual() || SchemaFormat.fits(format, value.textValue()));
    }
    JsonNode pattern = frame.schema().get("pattern");
    if (pattern == null) return;
    if (!pattern.isTextual()) throw frame.fault("pattern", "must be a pattern");
    Pattern compiled = frame.pattern(pattern.textValue(), "pattern");
    frame.add(
        "pattern",
        "must match " + pattern.textValue(),
        value -> !value.isTextual() || compiled.matcher(value.textValue()).find());
  }

  private void addCount(String what, Predicate<JsonNode> isMeant, ToIntFunction<JsonNode> count) {
    for (String keyword : List.of("min" + what, "max" + what)) {
      JsonNode limit = frame.schema().get(keyword);
      if (limit == null) continue;
      boolean isMinimum = keyword.startsWith("min");
      frame.add(
          keyword,
          "violates " + keyword + " " + limit,
          value -> {
            if (!isMeant.test(value)) return true;
            int order = BigDecimal.valueOf(count.applyAsInt(value)).compareTo(Json.decimal(limit));
            return isMinimum ? order >= 0 : order <= 0;
          });
    }
  }
}
