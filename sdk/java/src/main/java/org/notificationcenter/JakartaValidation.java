package org.notificationcenter;

import jakarta.validation.ConstraintViolation;
import jakarta.validation.ElementKind;
import jakarta.validation.Path;
import jakarta.validation.ValidationException;
import jakarta.validation.Validator;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * Validates params by the annotations of Jakarta Validation, such as {@code @NotBlank}, after
 * Jackson has bound them to a class.
 *
 * <p>The program brings {@code jakarta.validation-api} 3 and its implementation; Spring Boot has
 * both in {@code spring-boot-starter-validation}.
 */
public final class JakartaValidation {
  /** More issues help nobody. */
  private static final int MAX_ISSUES = 100;

  private JakartaValidation() {}

  /**
   * Returns a schema that binds the params to a class by Jackson, and then validates it. The place
   * of an issue has the names of the JSON, also where {@code @JsonProperty} renames a property.
   *
   * @param type a class or a record with annotations of both
   * @param validator a validator of the program; it is used by several threads
   * @param <T> the type
   * @return the schema
   * @throws EnricherRegistrationException for annotations that contradict each other
   */
  public static <T> ParamsSchema<T> of(Class<T> type, Validator validator) {
    Objects.requireNonNull(validator, "validator");
    BoundSchema<T> schema =
        new BoundSchema<>(
            type, null, (value, binder) -> issuesOf(validator.validate(value), type, binder));
    try {
      validator.getConstraintsForClass(type);
    } catch (ValidationException error) {
      throw new EnricherRegistrationException(
          "Params of the class " + type.getName() + " cannot be validated: " + error.getMessage());
    }
    return schema;
  }

  private static <T> List<ParamsIssue> issuesOf(
      Iterable<ConstraintViolation<T>> violations, Class<T> type, Binder binder) {
    List<ParamsIssue> issues = new ArrayList<>();
    for (ConstraintViolation<T> violation : violations) {
      String keyword =
          violation.getConstraintDescriptor().getAnnotation().annotationType().getSimpleName();
      String place = binder.place(type, stepsOf(violation.getPropertyPath()));
      issues.add(new ParamsIssue(keyword, null, place, violation.getMessage()));
    }
    // A validator reports its violations in no order.
    issues.sort(
        Comparator.comparing(ParamsIssue::instanceLocation)
            .thenComparing(ParamsIssue::keyword)
            .thenComparing(ParamsIssue::error));
    return issues.size() <= MAX_ISSUES ? issues : issues.subList(0, MAX_ISSUES);
  }

  private static List<PlaceStep> stepsOf(Path path) {
    List<PlaceStep> steps = new ArrayList<>();
    for (Path.Node node : path) {
      Object key = node.getIndex() == null ? node.getKey() : node.getIndex();
      boolean isProperty = node.getKind() == ElementKind.PROPERTY;
      boolean isElement = node.isInIterable() || node.getKind() == ElementKind.CONTAINER_ELEMENT;
      steps.add(new PlaceStep(isElement, key, isProperty ? node.getName() : null));
    }
    return steps;
  }
}
