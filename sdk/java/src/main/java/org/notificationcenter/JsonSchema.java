package org.notificationcenter;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * Checks params by a JSON Schema (drafts 4, 6, 7, 2019-09, 2020-12; without {@code $schema}
 * 2020-12). The handler receives the params as they came.
 *
 * <p>Of {@code format} it checks {@code date}, {@code time}, {@code date-time}, {@code email},
 * {@code uuid}, {@code ipv4}, {@code ipv6}, {@code hostname}, {@code uri}, {@code regex} and {@code
 * json-pointer}. References stay within the schema; {@code $dynamicRef} and {@code $recursiveRef}
 * are refused.
 */
public final class JsonSchema implements ParamsSchema<JsonNode> {
  private final SchemaCheck check;

  private JsonSchema(SchemaCheck check) {
    this.check = check;
  }

  /**
   * Compiles a schema.
   *
   * @param text the schema as JSON text
   * @return the schema
   * @throws EnricherRegistrationException for an invalid schema, with the place of its fault
   */
  public static JsonSchema parse(String text) {
    JsonNode schema = text == null ? null : Json.tryParse(text);
    if (schema == null)
      throw new EnricherRegistrationException("The schema is invalid: it is not JSON");
    return of(schema);
  }

  /**
   * Compiles a schema. Later changes of the argument have no effect.
   *
   * @param schema a {@link JsonNode}, or maps, lists and values that Jackson writes as JSON
   * @return the schema
   * @throws EnricherRegistrationException for an invalid schema, with the place of its fault
   */
  public static JsonSchema of(Object schema) {
    JsonNode copy;
    try {
      copy = Json.MAPPER.valueToTree(schema);
    } catch (IllegalArgumentException | StackOverflowError error) {
      throw new EnricherRegistrationException("The schema is invalid: it is not JSON");
    }
    try {
      return new JsonSchema(SchemaCompiler.compile(copy.deepCopy()));
    } catch (SchemaCompiler.Fault fault) {
      throw new EnricherRegistrationException("The schema is invalid: " + fault.getMessage());
    }
  }

  @Override
  public JsonNode parse(JsonNode params, ObjectMapper mapper) throws InvalidParamsException {
    SchemaOutcome outcome = SchemaOutcome.create();
    check.check(params, "#", outcome);
    if (!outcome.issues.isEmpty()) throw new InvalidParamsException(outcome.issues);
    return params;
  }

  /**
   * Returns a schema that checks by this one, and then binds the params to a class by Jackson.
   *
   * @param type a class or a record
   * @param <T> the type that the handler receives
   * @return the schema
   */
  public <T> ParamsSchema<T> as(Class<T> type) {
    return new BoundSchema<>(type, this);
  }
}
