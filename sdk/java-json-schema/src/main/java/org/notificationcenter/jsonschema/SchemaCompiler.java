package org.notificationcenter.jsonschema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.dialect.Dialect;
import com.networknt.schema.dialect.Dialects;
import com.networknt.schema.format.PatternFormat;
import com.networknt.schema.keyword.KeywordType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Compiles a JSON Schema, and finds its faults at once, so that a mistake fails at registration and
 * not at the first call.
 */
final class SchemaCompiler {
  /** The address of a root without {@code $id}. */
  static final String ROOT = "json-schema:/";

  private static final String LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
  private static final String WORD = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
  private static final String HOSTNAME = "(?=.{1,253}\\z)" + LABEL + "(?:\\." + LABEL + ")*";
  private static final String EMAIL =
      "(?=.{1,64}@)" + WORD + "(?:\\." + WORD + ")*@" + HOSTNAME;

  private static final Map<String, Dialect> DIALECTS = new LinkedHashMap<>();

  static {
    DIALECTS.put("2020-12", Dialects.getDraft202012());
    DIALECTS.put("2019-09", Dialects.getDraft201909());
    DIALECTS.put("draft-07", Dialects.getDraft7());
    DIALECTS.put("draft-06", Dialects.getDraft6());
    DIALECTS.put("draft-04", Dialects.getDraft4());
  }

  private static final SchemaRegistryConfig CONFIG =
      SchemaRegistryConfig.builder()
          .formatAssertionsEnabled(true)
          // The messages in English, whatever the language of the machine.
          .locale(Locale.ROOT)
          .regularExpressionFactory(SchemaPattern::compile)
          .build();

  /** The schemas of schemas, by dialect. */
  private static final Map<Dialect, Schema> SCHEMAS_OF_SCHEMAS = new ConcurrentHashMap<>();

  private SchemaCompiler() {}

  /**
   * Compiles the schema, which nobody else changes.
   *
   * @throws SchemaFault for an invalid one
   */
  static Schema compile(JsonNode root) {
    checkKeys(root);
    Dialect dialect = dialectOf(root.path("$schema"));
    for (Error error : schemaOfSchemas(dialect).validate(root))
      throw new SchemaFault("#" + error.getInstanceLocation(), error.getMessage());
    // Any spelling of the dialect's address is meant.
    if (root instanceof ObjectNode object) object.remove("$schema");
    try {
      Schema schema = registryOf(dialect).getSchema(SchemaLocation.of(ROOT), root);
      schema.initializeValidators();
      return schema;
    } catch (SchemaFault fault) {
      throw fault;
    } catch (SchemaException error) {
      throw new SchemaFault("#", error.getMessage());
    }
  }

  /** Refuses a shape such as <code>{ "orderId": "string" }</code>, which would take everything. */
  private static void checkKeys(JsonNode root) {
    if (!root.isObject() || root.isEmpty()) return;
    List<String> keys = root.properties().stream().map(Map.Entry::getKey).toList();
    if (keys.stream().anyMatch(SchemaCompiler::isKeyword)) return;
    String first = String.join(", ", keys.subList(0, Math.min(3, keys.size())));
    throw new SchemaFault("#", "none of its keys (" + first + ") is a keyword of JSON Schema");
  }

  private static boolean isKeyword(String name) {
    return DIALECTS.values().stream().anyMatch(one -> one.getKeywords().containsKey(name));
  }

  private static Dialect dialectOf(JsonNode address) {
    String text = address.isMissingNode() ? "2020-12" : address.asText();
    for (Map.Entry<String, Dialect> entry : DIALECTS.entrySet())
      if (text.contains(entry.getKey())) return entry.getValue();
    throw new SchemaFault("#/$schema", "an unknown dialect");
  }

  private static Schema schemaOfSchemas(Dialect dialect) {
    return SCHEMAS_OF_SCHEMAS.computeIfAbsent(
        dialect,
        one ->
            SchemaRegistry.withDefaultDialect(one, it -> it.schemaRegistryConfig(CONFIG))
                .getSchema(SchemaLocation.of(one.getId())));
  }

  /** A registry of its own for each schema, so that equal addresses in two schemas do not meet. */
  private static SchemaRegistry registryOf(Dialect dialect) {
    Dialect ours =
        Dialect.builder(dialect)
            .keyword(new RefusedKeyword("$dynamicRef"))
            .keyword(new RefusedKeyword("$recursiveRef"))
            .keyword(new CountedReference.Keyword())
            .keyword(new PatternPropertiesKeyword())
            .keyword(new UniqueItems.Keyword())
            // The validator's own refuses addresses below domains that it does not know.
            .format(PatternFormat.of("email", EMAIL, null))
            // Validators of the other SDKs know it in each draft.
            .keyword(KeywordType.DEPENDENCIES)
            .build();
    return SchemaRegistry.withDialect(
        ours,
        registry ->
            registry
                .schemaRegistryConfig(CONFIG)
                // Neither the network, nor files, nor the class path.
                .schemaLoader(loader -> loader.allow(address -> false)));
  }
}
