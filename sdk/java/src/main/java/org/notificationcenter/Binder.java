package org.notificationcenter;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;

/** Writes the caller's objects as JSON and binds params to the caller's classes. */
interface Binder {
  /**
   * Writes an object.
   *
   * @throws IllegalArgumentException for an object that is not written as JSON
   */
  JsonNode toTree(Object value);

  /**
   * Binds params to a class.
   *
   * @throws InvalidParamsException for params that do not fit the class
   */
  <T> T bind(JsonNode params, Class<T> type) throws InvalidParamsException;

  /**
   * Checks that params can be bound to a class at all.
   *
   * @throws EnricherRegistrationException for a class without a way to create it
   */
  void check(Class<?> type);

  /**
   * Returns the place in the params of a part of a bound value, such as {@code #/lines/0/sku}, with
   * the names of the JSON.
   */
  String place(Class<?> type, List<PlaceStep> steps);

  /** Returns the mapper that a {@link ParamsSchema} of the caller receives. */
  ObjectMapper mapper();
}
