package org.notificationcenter;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Compiles a JSON Schema to checks, and finds its faults at once, so that a mistake fails at registration and not at the first
 * call.
 */
final class SchemaCompiler {
  /** Reports a fault of a schema with its place. */
  static final class Fault extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Fault(String message) {
      super(message);
    }
  }

  /** One schema whose checks may be added later, so that schemas can refer to each other. */
  private static final class Compiled implements SchemaCheck {
    private final List<SchemaCheck> checks = new ArrayList<>();

    @Override
    public void check(JsonNode value, String at, List<ParamsIssue> issues) {
      for (SchemaCheck check : checks) check.check(value, at, issues);
    }
  }

  private record Reference(String target, String place, Compiled compiled) {}

  /** Deeper schemas are not written by people. */
  private static final int MAX_DEPTH = 200;
  private static final Set<String> SCHEMA = Set.of(
      "additionalItems", "contains", "additionalProperties", "propertyNames", "not", "if", "then", "else");
  private static final Set<String> SCHEMAS = Set.of("allOf", "anyOf", "oneOf", "prefixItems");
  private static final Set<String> SCHEMA_MAPS =
      Set.of("properties", "patternProperties", "dependentSchemas", "$defs", "definitions");
  private static final Set<String> UNSUPPORTED =
      Set.of("unevaluatedItems", "unevaluatedProperties", "$dynamicRef", "$recursiveRef");
  private static final Set<String> ANNOTATIONS = Set.of(
      "$ref", "$id", "id", "$schema", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "format", "title", "description",
      "$comment", "default", "examples", "deprecated", "readOnly", "writeOnly", "contentEncoding", "contentMediaType",
      "items", "dependencies");

  private final JsonNode root;
  private final boolean ignoresSiblingsOfRef;
  private final Map<String, Compiled> byPlace = new HashMap<>();
  private final Map<String, Compiled> byName = new HashMap<>();
  private final Deque<Reference> references = new ArrayDeque<>();

  private SchemaCompiler(JsonNode root) {
    this.root = root;
    this.ignoresSiblingsOfRef = isOldDraft(root.path("$schema"));
  }

  /** Compiles the schema. */
  static SchemaCheck compile(JsonNode root) {
    if (root.isObject() && !root.isEmpty() && !hasKeyword(root)) {
      throw new Fault("none of its keys (" + String.join(", ", firstKeys(root)) + ") is a keyword of JSON Schema");
    }
    SchemaCompiler compiler = new SchemaCompiler(root);
    SchemaCheck check = compiler.compile(root, "#", 0);
    compiler.resolveReferences();
    return check;
  }

  private static boolean hasKeyword(JsonNode schema) {
    return schema.properties().stream().anyMatch(field -> isKeyword(field.getKey()));
  }

  private static boolean isKeyword(String name) {
    return SCHEMA.contains(name) || SCHEMAS.contains(name) || SCHEMA_MAPS.contains(name) || UNSUPPORTED.contains(name)
        || ANNOTATIONS.contains(name) || SchemaKeywords.isKeyword(name);
  }

  private static List<String> firstKeys(JsonNode schema) {
    return schema.properties().stream().map(Map.Entry::getKey).limit(3).toList();
  }

  /** Returns whether the dialect is draft 4, 6 or 7. */
  private static boolean isOldDraft(JsonNode dialect) {
    String name = dialect.isMissingNode() ? "2020-12" : dialect.asText();
    if (name.contains("draft-04") || name.contains("draft-06") || name.contains("draft-07")) return true;
    if (name.contains("2019-09") || name.contains("2020-12")) return false;
    throw new Fault("#/$schema: an unknown dialect");
  }

  private Compiled compile(JsonNode schema, String place, int depth) {
    if (depth > MAX_DEPTH) throw new Fault(place + ": nested too deeply");
    Compiled compiled = new Compiled();
    byPlace.put(place, compiled);
    if (schema.isBoolean()) {
      if (!schema.booleanValue()) {
        compiled.checks.add((value, at, issues) -> issues.add(new ParamsIssue("false", place, at, "is not allowed")));
      }
      return compiled;
    }
    if (!schema.isObject()) throw new Fault(place + ": a schema is an object, true or false");
    nameOf(schema, compiled);
    Map<String, SchemaCheck> parts = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> field : schema.properties()) {
      compileParts(field.getKey(), field.getValue(), place + "/" + escape(field.getKey()), depth + 1, parts);
    }
    JsonNode reference = schema.get("$ref");
    if (reference != null) addReference(reference, place + "/$ref", compiled);
    if (reference == null || !ignoresSiblingsOfRef) SchemaKeywords.addChecks(schema, place, parts, compiled.checks);
    return compiled;
  }

  private void nameOf(JsonNode schema, Compiled compiled) {
    if (schema.path("$anchor").isTextual()) byName.put("#" + schema.get("$anchor").textValue(), compiled);
    for (String id : List.of("$id", "id")) {
      if (schema.path(id).isTextual()) byName.put(schema.get(id).textValue(), compiled);
    }
  }

  private void addReference(JsonNode target, String place, Compiled compiled) {
    if (!target.isTextual()) throw new Fault(place + ": must be a text");
    references.add(new Reference(target.textValue(), place, compiled));
  }

  /** Compiles the schemas within a keyword, each under {@code keyword}, {@code keyword/name} or {@code keyword/index}. */
  private void compileParts(String key, JsonNode value, String place, int depth, Map<String, SchemaCheck> parts) {
    if (UNSUPPORTED.contains(key)) throw new Fault(place + ": this keyword is not supported");
    boolean isItemList = key.equals("items") && value.isArray();
    if (SCHEMA.contains(key) || (key.equals("items") && !isItemList)) {
      parts.put(key, compile(value, place, depth));
    } else if (SCHEMAS.contains(key) || isItemList) {
      if (!value.isArray() || (value.isEmpty() && !isItemList)) throw new Fault(place + ": must be a list of schemas");
      for (int i = 0; i < value.size(); i++) parts.put(key + "/" + i, compile(value.get(i), place + "/" + i, depth));
    } else if (SCHEMA_MAPS.contains(key)) {
      eachField(value, place, (name, one) -> parts.put(key + "/" + name, compile(one, place + "/" + escape(name), depth)));
    } else if (key.equals("dependencies")) {
      eachField(value, place, (name, one) -> {
        if (!one.isArray()) parts.put(key + "/" + name, compile(one, place + "/" + escape(name), depth));
      });
    }
  }

  private static void eachField(JsonNode value, String place, BiConsumer<String, JsonNode> consumer) {
    if (!value.isObject()) throw new Fault(place + ": must be an object");
    value.properties().forEach(field -> consumer.accept(field.getKey(), field.getValue()));
  }

  /** Connects each reference with its schema. One that no keyword leads to is compiled here, and may add references. */
  private void resolveReferences() {
    while (!references.isEmpty()) {
      Reference reference = references.remove();
      reference.compiled().checks.add(find(reference));
    }
  }

  private SchemaCheck find(Reference reference) {
    String target = reference.target();
    Compiled named = byName.get(target);
    if (named != null) return named;
    if (target.equals("#")) return byPlace.get("#");
    if (target.startsWith("#/")) {
      String pointer = URLDecoder.decode(target.substring(1).replace("+", "%2B"), StandardCharsets.UTF_8);
      Compiled known = byPlace.get("#" + pointer);
      if (known != null) return known;
      JsonNode node = root.at(JsonPointer.compile(pointer));
      if (node.isObject() || node.isBoolean()) return compile(node, "#" + pointer, 1);
    }
    throw new Fault(reference.place() + ": the $ref \"" + target + "\" leads nowhere");
  }

  private static String escape(String name) {
    return name.replace("~", "~0").replace("/", "~1");
  }
}
