package org.notificationcenter;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Compiles a JSON Schema to checks, and finds its faults at once, so that a mistake fails at
 * registration and not at the first call.
 */
final class SchemaCompiler {
  /** Reports a fault of a schema with its place. */
  static final class Fault extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Fault(String message) {
      super(message);
    }
  }

  /** The drafts by what differs between them. */
  private enum Draft {
    FOUR,
    SIX_OR_SEVEN,
    OF_2019,
    NEWEST;

    static Draft of(JsonNode dialect) {
      String name = dialect.isMissingNode() ? "2020-12" : dialect.asText();
      if (name.contains("draft-04")) return FOUR;
      if (name.contains("draft-06") || name.contains("draft-07")) return SIX_OR_SEVEN;
      if (name.contains("2019-09")) return OF_2019;
      if (name.contains("2020-12")) return NEWEST;
      throw new Fault("#/$schema: an unknown dialect");
    }

    boolean ignoresSiblingsOfRef() {
      return this == FOUR || this == SIX_OR_SEVEN;
    }
  }

  /** One schema whose checks may be added later, so that schemas can refer to each other. */
  private static final class Compiled implements SchemaCheck {
    private final List<SchemaCheck> checks = new ArrayList<>();

    @Override
    public void check(JsonNode value, String at, SchemaOutcome outcome) {
      // A schema sees what it has evaluated itself, and not what its neighbours have.
      SchemaOutcome own = outcome.inner();
      for (SchemaCheck check : checks) check.check(value, at, own);
      outcome.absorb(own);
    }
  }

  /** A schema with an address of its own: the root, or one with {@code $id}. */
  private record Resource(JsonNode node, String place) {}

  private record Reference(String target, String base, String place, Compiled compiled) {}

  /** The address of a root without {@code $id}. */
  private static final String NO_ADDRESS = "json-schema:/";

  /** Deeper schemas are not written by people. */
  private static final int MAX_DEPTH = 200;

  private final Draft draft;
  private final Map<String, Compiled> byPlace = new HashMap<>();
  private final Map<String, Compiled> byAnchor = new HashMap<>();
  private final Map<String, Resource> resources = new HashMap<>();
  private final Deque<Reference> references = new ArrayDeque<>();

  private SchemaCompiler(Draft draft) {
    this.draft = draft;
  }

  /** Compiles the schema. */
  static SchemaCheck compile(JsonNode root) {
    if (root.isObject() && !root.isEmpty() && !SchemaKeywords.areIn(root)) {
      throw new Fault(
          "none of its keys ("
              + String.join(", ", SchemaKeywords.firstKeys(root))
              + ") is a keyword of JSON Schema");
    }
    SchemaCompiler compiler = new SchemaCompiler(Draft.of(root.path("$schema")));
    compiler.resources.put(NO_ADDRESS, new Resource(root, "#"));
    SchemaCheck check = compiler.compile(root, "#", NO_ADDRESS, 0);
    compiler.resolveReferences();
    return check;
  }

  private Compiled compile(JsonNode schema, String place, String outerBase, int depth) {
    if (depth > MAX_DEPTH) throw new Fault(place + ": nested too deeply");
    Compiled compiled = new Compiled();
    byPlace.put(place, compiled);
    if (schema.isBoolean()) {
      if (!schema.booleanValue()) {
        compiled.checks.add(
            (value, at, outcome) ->
                outcome.issues.add(new ParamsIssue("false", place, at, "is not allowed")));
      }
      return compiled;
    }
    if (!schema.isObject()) throw new Fault(place + ": a schema is an object, true or false");
    JsonNode reference = schema.get("$ref");
    boolean isReferenceAlone = reference != null && draft.ignoresSiblingsOfRef();
    String base = isReferenceAlone ? outerBase : addNames(schema, place, outerBase, compiled);
    Map<String, SchemaCheck> parts = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> field : schema.properties()) {
      compileParts(field, place + "/" + escape(field.getKey()), base, depth + 1, parts);
    }
    // First, because the checks of unevaluated parts come last.
    if (reference != null) addReference(reference, base, place + "/$ref", compiled);
    if (!isReferenceAlone) {
      SchemaFrame frame =
          new SchemaFrame(schema, place, parts, compiled.checks, draft != Draft.NEWEST);
      SchemaValues.addChecks(frame);
      SchemaContents.addChecks(frame);
      SchemaCombinations.addChecks(frame);
    }
    return compiled;
  }

  /**
   * Registers the names of a schema. Returns the address that references within it are resolved by.
   */
  private String addNames(JsonNode schema, String place, String outerBase, Compiled compiled) {
    String base = outerBase;
    String id = Json.text(schema, draft == Draft.FOUR ? "id" : "$id");
    if (id != null && id.startsWith("#")) {
      byAnchor.put(base + id, compiled);
    } else if (id != null) {
      base = withoutFragment(resolve(base, id));
      resources.put(base, new Resource(schema, place));
    }
    for (String keyword : List.of("$anchor", "$dynamicAnchor")) {
      String anchor = Json.text(schema, keyword);
      if (anchor != null) byAnchor.put(base + "#" + anchor, compiled);
    }
    return base;
  }

  private void addReference(JsonNode target, String base, String place, Compiled compiled) {
    if (!target.isTextual()) throw new Fault(place + ": must be a text");
    Compiled referred = new Compiled();
    compiled.checks.add(referred);
    references.add(new Reference(target.textValue(), base, place, referred));
  }

  /**
   * Compiles the schemas within a keyword, each under {@code keyword}, {@code keyword/name} or
   * {@code keyword/index}.
   */
  private void compileParts(
      Map.Entry<String, JsonNode> field,
      String place,
      String base,
      int depth,
      Map<String, SchemaCheck> parts) {
    String key = field.getKey();
    JsonNode value = field.getValue();
    if (SchemaKeywords.UNSUPPORTED.contains(key)) throw new Fault(place + ": this keyword is not supported");
    boolean isItemList = key.equals("items") && value.isArray();
    if (SchemaKeywords.SCHEMA.contains(key) || (key.equals("items") && !isItemList)) {
      parts.put(key, compile(value, place, base, depth));
    } else if (SchemaKeywords.SCHEMAS.contains(key) || isItemList) {
      if (!value.isArray() || (value.isEmpty() && !isItemList))
        throw new Fault(place + ": must be a list of schemas");
      for (int i = 0; i < value.size(); i++) {
        parts.put(key + "/" + i, compile(value.get(i), place + "/" + i, base, depth));
      }
    } else if (SchemaKeywords.SCHEMA_MAPS.contains(key)) {
      eachField(
          value,
          place,
          (name, one) ->
              parts.put(key + "/" + name, compile(one, place + "/" + escape(name), base, depth)));
    } else if (key.equals("dependencies")) {
      eachField(
          value,
          place,
          (name, one) -> {
            if (!one.isArray())
              parts.put(key + "/" + name, compile(one, place + "/" + escape(name), base, depth));
          });
    }
  }

  private static void eachField(
      JsonNode value, String place, BiConsumer<String, JsonNode> consumer) {
    if (!value.isObject()) throw new Fault(place + ": must be an object");
    value.properties().forEach(field -> consumer.accept(field.getKey(), field.getValue()));
  }

  /**
   * Connects each reference with its schema. One that no keyword leads to is compiled here, and may
   * add references.
   */
  private void resolveReferences() {
    while (!references.isEmpty()) {
      Reference reference = references.remove();
      reference.compiled().checks.add(find(reference));
    }
  }

  private SchemaCheck find(Reference reference) {
    String target = resolve(reference.base(), reference.target());
    Compiled named = byAnchor.get(target);
    if (named != null) return named;
    Resource resource = resources.get(withoutFragment(target));
    String fragment = target.indexOf('#') < 0 ? "" : target.substring(target.indexOf('#') + 1);
    if (resource != null && (fragment.isEmpty() || fragment.startsWith("/"))) {
      String pointer = decode(fragment);
      Compiled known = byPlace.get(resource.place() + pointer);
      if (known != null) return known;
      JsonNode node = resource.node().at(JsonPointer.compile(pointer));
      if (node.isObject() || node.isBoolean()) {
        return compile(node, resource.place() + pointer, withoutFragment(target), 1);
      }
    }
    throw new Fault(reference.place() + ": the $ref \"" + reference.target() + "\" leads nowhere");
  }

  private static String resolve(String base, String target) {
    if (target.startsWith("#")) return base + target;
    try {
      URI resolved = URI.create(base).resolve(target);
      String text = resolved.toString();
      return text.endsWith("#") ? text.substring(0, text.length() - 1) : text;
    } catch (IllegalArgumentException error) {
      return target;
    }
  }

  private static String withoutFragment(String address) {
    int at = address.indexOf('#');
    return at < 0 ? address : address.substring(0, at);
  }

  private static String decode(String fragment) {
    try {
      return URLDecoder.decode(fragment.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException error) {
      return fragment;
    }
  }

  private static String escape(String name) {
    return name.replace("~", "~0").replace("/", "~1");
  }
}
