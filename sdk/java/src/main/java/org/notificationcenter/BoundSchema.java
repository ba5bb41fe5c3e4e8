package org.notificationcenter;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Objects;

/** Binds params to a class, after the check of a JSON Schema when there is one. */
final class BoundSchema<P> implements ParamsSchema<P> {
  private final Class<P> type;

  /** Null for no check. */
  private final JsonSchema schema;

  BoundSchema(Class<P> type, JsonSchema schema) {
    this.type = Objects.requireNonNull(type, "type");
    this.schema = schema;
  }

  @Override
  public P parse(JsonNode params, ObjectMapper mapper) throws InvalidParamsException {
    return parse(params, new Jackson2Binder(mapper));
  }

  P parse(JsonNode params, Binder binder) throws InvalidParamsException {
    if (schema != null) schema.parse(params, binder.mapper());
    return binder.bind(params, type);
  }

  /** Throws an {@link EnricherRegistrationException} for a class that cannot be bound. */
  void check(Binder binder) {
    binder.check(type);
  }
}
