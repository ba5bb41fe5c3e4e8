package org.notificationcenter;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Names the keywords of JSON Schema, by what their value is. */
final class SchemaKeywords {
  /** Their value is a schema. */
  static final Set<String> SCHEMA =
      Set.of(
          "additionalItems",
          "unevaluatedItems",
          "contains",
          "additionalProperties",
          "unevaluatedProperties",
          "propertyNames",
          "not",
          "if",
          "then",
          "else");

  /** Their value is a list of schemas. */
  static final Set<String> SCHEMAS = Set.of("allOf", "anyOf", "oneOf", "prefixItems");

  /** Their value has schemas by name. */
  static final Set<String> SCHEMA_MAPS =
      Set.of("properties", "patternProperties", "dependentSchemas", "$defs", "definitions");

  static final Set<String> UNSUPPORTED = Set.of("$dynamicRef", "$recursiveRef");

  private static final Set<String> ANNOTATIONS =
      Set.of(
          "$ref",
          "$id",
          "id",
          "$schema",
          "$anchor",
          "$dynamicAnchor",
          "$recursiveAnchor",
          "format",
          "title",
          "description",
          "$comment",
          "default",
          "examples",
          "deprecated",
          "readOnly",
          "writeOnly",
          "contentEncoding",
          "contentMediaType",
          "items",
          "dependencies");

  private SchemaKeywords() {}

  /** Returns whether at least one key of the schema is a keyword. */
  static boolean areIn(JsonNode schema) {
    return schema.properties().stream().anyMatch(field -> isKeyword(field.getKey()));
  }

  private static boolean isKeyword(String name) {
    return SCHEMA.contains(name)
        || SCHEMAS.contains(name)
        || SCHEMA_MAPS.contains(name)
        || UNSUPPORTED.contains(name)
        || ANNOTATIONS.contains(name)
        || SchemaValues.isKeyword(name)
        || SchemaContents.isKeyword(name);
  }

  /** Returns at most three keys, for an error. */
  static List<String> firstKeys(JsonNode schema) {
    return schema.properties().stream().map(Map.Entry::getKey).limit(3).toList();
  }
}
