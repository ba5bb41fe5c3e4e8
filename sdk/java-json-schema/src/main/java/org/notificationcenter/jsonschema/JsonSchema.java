package org.notificationcenter.jsonschema;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import java.util.List;
import org.notificationcenter.EnricherRegistrationException;
import org.notificationcenter.InvalidParamsException;
import org.notificationcenter.ParamsIssue;
import org.notificationcenter.ParamsSchema;

/**
 * Checks params by a JSON Schema (drafts 4, 6, 7, 2019-09, 2020-12; without {@code $schema}
 * 2020-12), with the validator {@code com.networknt:json-schema-validator}. The handler receives
 * the params as they came, or what {@link #as} binds them to.
 *
 * <p>{@code format} is checked. References stay within the schema: nothing is ever fetched. {@code
 * $dynamicRef} and {@code $recursiveRef} are refused. Params that take too much time to check do
 * not fit.
 */
public final class JsonSchema implements ParamsSchema<JsonNode> {
  private static final ObjectMapper MAPPER =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

  /** More issues help nobody. */
  private static final int MAX_ISSUES = 100;

  private final Schema schema;

  private JsonSchema(Schema schema) {
    this.schema = schema;
  }

  /**
   * Compiles a schema.
   *
   * @param text the schema as JSON text
   * @return the schema
   * @throws EnricherRegistrationException for an invalid schema, with the place of its fault
   */
  public static JsonSchema parse(String text) {
    try {
      JsonNode schema = text == null ? null : MAPPER.readTree(text);
      if (schema == null || schema.isMissingNode()) throw invalid("it is not JSON");
      return new JsonSchema(SchemaCompiler.compile(Numbers.normalize(schema)));
    } catch (JsonProcessingException | StackOverflowError error) {
      throw invalid("it is not JSON, or nested too deeply");
    } catch (SchemaFault fault) {
      throw invalid(fault.getMessage());
    }
  }

  /**
   * Compiles a schema. Later changes of the argument have no effect.
   *
   * @param schema a {@link JsonNode}, or maps, lists and values that Jackson writes as JSON
   * @return the schema
   * @throws EnricherRegistrationException for an invalid schema, with the place of its fault
   */
  public static JsonSchema of(Object schema) {
    String text;
    try {
      text = MAPPER.writeValueAsString(schema);
    } catch (JsonProcessingException | StackOverflowError error) {
      throw invalid("it is not JSON, or nested too deeply");
    }
    return parse(text);
  }

  private static EnricherRegistrationException invalid(String fault) {
    return new EnricherRegistrationException("The schema is invalid: " + fault);
  }

  @Override
  public JsonNode parse(JsonNode params, ObjectMapper mapper) throws InvalidParamsException {
    List<Error> errors;
    try {
      errors = Budget.within(() -> schema.validate(Numbers.normalize(params)));
    } catch (Budget.Exceeded exceeded) {
      throw new InvalidParamsException(
          List.of(new ParamsIssue(exceeded.keyword(), null, "#", "takes too long to check")));
    }
    if (errors.isEmpty()) return params;
    throw new InvalidParamsException(
        errors.stream().limit(MAX_ISSUES).map(JsonSchema::issueOf).toList());
  }

  private static ParamsIssue issueOf(Error error) {
    return new ParamsIssue(
        error.getKeyword(),
        SchemaFault.place(error.getSchemaLocation()),
        "#" + error.getInstanceLocation(),
        error.getMessage());
  }
}
