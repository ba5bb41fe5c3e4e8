package org.notificationcenter.jsonschema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.BigInteger;

/** Gives numbers one form: the validator compares trees of Jackson, where 1 and 1.0 differ. */
final class Numbers {
  private static final BigInteger MAX_LONG = BigInteger.valueOf(Long.MAX_VALUE);
  /** The validator multiplies by doubles, so that no number may be beyond them. */
  private static final BigInteger HUGE = new BigDecimal(Double.MAX_VALUE).toBigInteger();

  private Numbers() {}

  /** Returns a copy of the tree in which each whole number is an integer. */
  static JsonNode normalize(JsonNode node) {
    if (node.isFloatingPointNumber()) return normalizeNumber(node);
    if (node.isArray()) {
      ArrayNode list = JsonNodeFactory.instance.arrayNode(node.size());
      for (JsonNode item : node) list.add(normalize(item));
      return list;
    }
    if (!node.isObject()) return node;
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    node.properties().forEach(field -> object.set(field.getKey(), normalize(field.getValue())));
    return object;
  }

  private static JsonNode normalizeNumber(JsonNode node) {
    double read = node.doubleValue();
    // 1e999 is read as infinite; here it is the largest number.
    if (!Double.isFinite(read))
      return JsonNodeFactory.instance.numberNode(read > 0 ? HUGE : HUGE.negate());
    BigDecimal number = node.decimalValue().stripTrailingZeros();
    if (number.scale() > 0) return node;
    BigInteger whole = number.toBigInteger();
    if (whole.abs().compareTo(MAX_LONG) > 0) return JsonNodeFactory.instance.numberNode(whole);
    long value = whole.longValueExact();
    return value == (int) value
        ? JsonNodeFactory.instance.numberNode((int) value)
        : JsonNodeFactory.instance.numberNode(value);
  }
}
