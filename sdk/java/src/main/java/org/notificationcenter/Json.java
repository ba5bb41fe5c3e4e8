package org.notificationcenter;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Parses, writes and compares JSON. */
final class Json {
  /** Reads and writes what the SDK itself exchanges with the service. */
  static final ObjectMapper MAPPER =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

  private static final ObjectReader EXACT =
      MAPPER.reader(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

  private static final DateTimeFormatter MILLIS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  private Json() {}

  /** Parses one JSON value; null for any other text. */
  static JsonNode tryParse(String text) {
    try {
      JsonNode node = MAPPER.readTree(text);
      return node == null || node.isMissingNode() ? null : node;
    } catch (JsonProcessingException error) {
      return null;
    }
  }

  /** Parses JSON of the caller with all digits of its amounts; null for any other text. */
  static JsonNode parseExact(String text) {
    try {
      return EXACT.readTree(text);
    } catch (JsonProcessingException error) {
      return null;
    }
  }

  /** Returns a tree of either version of Jackson as one of Jackson 2; null for anything else. */
  static JsonNode fromTree(Object value) {
    if (value instanceof JsonNode tree) return tree;
    // By its name, because Jackson 3 may be missing.
    return value != null && value.getClass().getName().startsWith("tools.jackson.databind.node.")
        ? parseExact(value.toString())
        : null;
  }

  /** Returns the text of a field; null when the field is missing or no text. */
  static String text(JsonNode node, String field) {
    JsonNode value = node.get(field);
    return value != null && value.isTextual() ? value.textValue() : null;
  }

  /** Writes an instant as the service does: UTC, with milliseconds. */
  static String toText(Instant instant) {
    return MILLIS.format(instant);
  }

  /** Compares by value: the order of fields does not count, and 1 is 1.0. */
  static boolean isSame(JsonNode left, JsonNode right) {
    return canonical(left).equals(canonical(right));
  }

  /** Returns a text that is equal for equal values. */
  static String canonical(JsonNode node) {
    StringBuilder text = new StringBuilder();
    append(node, text);
    return text.toString();
  }

  private static void append(JsonNode node, StringBuilder text) {
    if (node.isNumber()) {
      text.append(decimal(node).stripTrailingZeros());
    } else if (node.isArray()) {
      text.append('[');
      for (JsonNode item : node) {
        append(item, text);
        text.append(',');
      }
      text.append(']');
    } else if (node.isObject()) {
      List<String> names = new ArrayList<>();
      node.fieldNames().forEachRemaining(names::add);
      Collections.sort(names);
      text.append('{');
      for (String name : names) {
        text.append(MAPPER.getNodeFactory().textNode(name)).append(':');
        append(node.get(name), text);
        text.append(',');
      }
      text.append('}');
    } else {
      text.append(node);
    }
  }

  /**
   * Returns the value of a number. One that is too large for a double, such as 1e999, is larger
   * than all others.
   */
  static BigDecimal decimal(JsonNode number) {
    if (!number.isFloatingPointNumber() || Double.isFinite(number.doubleValue()))
      return number.decimalValue();
    return new BigDecimal(number.doubleValue() > 0 ? "1e999" : "-1e999");
  }
}
