package org.notificationcenter;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * Checks the params of an enricher before its handler sees them, and gives them their type. {@link
 * #of(Class)} binds them to a class, and {@link JakartaValidation} validates that class as well;
 * the artifact {@code notification-center-json-schema} has JSON Schema. Implement it for a
 * validator of your own.
 *
 * @param <P> the type that the handler receives
 */
@FunctionalInterface
public interface ParamsSchema<P> {
  /**
   * Checks the params.
   *
   * @param params the params of the call; a JSON null when the call has none
   * @param mapper the client's mapper for the caller's classes
   * @return what the handler receives
   * @throws InvalidParamsException for params that do not fit
   */
  P parse(JsonNode params, ObjectMapper mapper) throws InvalidParamsException;

  /**
   * Returns a schema that checks by this one, and then binds the params, as they came, to a class
   * by Jackson.
   *
   * @param type a class or a record
   * @param <T> the type that the handler receives
   * @return the schema
   */
  default <T> ParamsSchema<T> as(Class<T> type) {
    return new BoundSchema<>(type, this, BoundSchema.ANY);
  }

  /**
   * Returns a schema that binds the params to a class by Jackson, with its annotations. Params that
   * Jackson cannot bind do not fit.
   *
   * @param type a class or a record
   * @param <T> the type
   * @return the schema
   */
  static <T> ParamsSchema<T> of(Class<T> type) {
    return new BoundSchema<>(type, null, BoundSchema.ANY);
  }
}
