package org.notificationcenter;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

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

  /** Returns the mapper that a {@link ParamsSchema} of the caller receives. */
  ObjectMapper mapper();
}
