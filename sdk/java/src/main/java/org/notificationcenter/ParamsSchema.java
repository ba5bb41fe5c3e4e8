package org.notificationcenter;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Checks the params of an enricher before its handler sees them, and gives them their type. {@link
 * JsonSchema} and {@link #of(Class)} are two; implement it for a validator of your own.
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
   * Returns a schema that binds the params to a class by Jackson, with its annotations. Params that
   * Jackson cannot bind do not fit.
   *
   * @param type a class or a record
   * @param <T> the type
   * @return the schema
   */
  static <T> ParamsSchema<T> of(Class<T> type) {
    Objects.requireNonNull(type, "type");
    return (params, mapper) -> {
      try {
        T value = mapper.treeToValue(params, type);
        if (value != null) return value;
        throw new InvalidParamsException(
            List.of(new ParamsIssue("type", null, "#", "must not be null")));
      } catch (JsonMappingException error) {
        String place =
            error.getPath().stream()
                .map(
                    step ->
                        step.getFieldName() == null
                            ? String.valueOf(step.getIndex())
                            : step.getFieldName())
                .collect(Collectors.joining("/"));
        String at = place.isEmpty() ? "#" : "#/" + place;
        throw new InvalidParamsException(
            List.of(new ParamsIssue("type", null, at, error.getOriginalMessage())));
      } catch (JsonProcessingException error) {
        throw new InvalidParamsException(
            List.of(new ParamsIssue("type", null, "#", error.getOriginalMessage())));
      }
    };
  }
}
