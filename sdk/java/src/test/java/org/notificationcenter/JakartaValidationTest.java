package org.notificationcenter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonProperty;
import jakarta.validation.Constraint;
import jakarta.validation.ConstraintValidator;
import jakarta.validation.ConstraintValidatorContext;
import jakarta.validation.Payload;
import jakarta.validation.Valid;
import jakarta.validation.Validation;
import jakarta.validation.Validator;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hibernate.validator.messageinterpolation.ParameterMessageInterpolator;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/** Tests params that are bound to a class and validated by its annotations, with Hibernate Validator. */
class JakartaValidationTest {
  record Line(@NotBlank String sku, @JsonProperty("how_many") @Min(1) Integer count) {}

  @Ordered
  record Order(
      @NotBlank @Size(max = 10) String orderId,
      @JsonProperty("the/lines") @Size(min = 1, max = 300) List<@Valid Line> lines,
      Map<@Size(max = 3) String, @Valid Line> byName,
      Set<@NotBlank String> tags,
      Optional<@Valid Line> last,
      @Valid Line first) {}

  @Retention(RetentionPolicy.RUNTIME)
  @Constraint(validatedBy = IsOrdered.class)
  @interface Ordered {
    String message() default "must not have tags without lines";

    Class<?>[] groups() default {};

    Class<? extends Payload>[] payload() default {};
  }

  public static final class IsOrdered implements ConstraintValidator<Ordered, Order> {
    @Override
    public boolean isValid(Order order, ConstraintValidatorContext context) {
      return order.tags() == null || order.lines() != null;
    }
  }

  static class Parent {
    void set(String value) {}
  }

  static class Child extends Parent {
    public String value;

    @Override
    void set(@NotNull String value) {}
  }

  private static final Validator VALIDATOR =
      Validation.byDefaultProvider()
          .configure()
          .messageInterpolator(
              new ParameterMessageInterpolator(Set.of(Locale.ENGLISH), Locale.ENGLISH, false))
          .buildValidatorFactory()
          .getValidator();

  private final Calls calls = new Calls();

  private List<ParamsIssue> issuesOf(Object params) {
    DispatchResponse response = calls.dispatch("order", params);
    assertEquals(EnricherErrorCode.INPUT_INVALID, response.error().code(), response::toString);
    return response.error().details();
  }

  private void register() {
    calls.client.enricher(
        "order", JakartaValidation.of(Order.class, VALIDATOR), (order, context) -> order.orderId());
  }

  @Test
  void paramsThatFitReachTheHandler() {
    register();
    DispatchResponse response =
        calls.dispatch("order", Map.of("orderId", "A-1", "first", Map.of("sku", "S", "how_many", 1)));
    assertTrue(response.ok(), () -> response + " " + calls.reported.get(0).getCause());
    assertEquals("A-1", response.data().textValue());
  }

  @Test
  void aViolationIsAnIssueWithItsPlaceInTheJson() {
    register();
    Map<String, Object> bad = Map.of("sku", " ", "how_many", 1);
    List<ParamsIssue> issues =
        issuesOf(
            Map.of(
                "orderId", "",
                "the/lines", List.of(Map.of("sku", "S", "how_many", 1), bad),
                "byName", Map.of("a/b", Map.of("sku", "S", "how_many", 0), "long~", Map.of("sku", "S", "how_many", 1)),
                "tags", List.of("", "a"),
                "last", bad,
                "first", bad));
    assertEquals(
        List.of(
            "#/byName/a~1b/how_many",
            "#/byName/long~0",
            "#/first/sku",
            "#/last/sku",
            "#/orderId",
            "#/tags",
            "#/the~1lines/1/sku"),
        issues.stream().map(ParamsIssue::instanceLocation).toList());
    ParamsIssue issue = issues.get(4);
    assertEquals(new ParamsIssue("NotBlank", null, "#/orderId", "must not be blank"), issue);
  }

  @Test
  void aConstraintOfTheClassHasThePlaceOfItsValue() {
    register();
    List<ParamsIssue> issues = issuesOf(Map.of("orderId", "A", "tags", List.of("a")));
    assertEquals(
        List.of(new ParamsIssue("Ordered", null, "#", "must not have tags without lines")), issues);
  }

  @Test
  void whatJacksonCannotBindDoesNotFitEither() {
    register();
    assertEquals("#/orderId", issuesOf(Map.of("orderId", 7)).get(0).instanceLocation());
    assertEquals("#", issuesOf(null).get(0).instanceLocation());
  }

  @Test
  void atMostAHundredIssuesAreReported() {
    register();
    Map<String, Object> lines = Map.of("the/lines", Collections.nCopies(300, Map.of()));
    assertEquals(100, issuesOf(lines).size());
  }

  @Test
  void jackson3BindsAndNamesThePlaces() {
    JsonMapper mapper =
        JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .build();
    Calls own = new Calls(builder -> builder.jackson3(Jackson3.of(mapper)));
    own.client.enricher(
        "order", JakartaValidation.of(Order.class, VALIDATOR), (order, context) -> order.orderId());
    DispatchResponse response =
        own.dispatch("order", Map.of("by_name", Map.of("a", Map.of("sku", "", "how_many", 1))));
    assertEquals(
        List.of("#/by_name/a/sku", "#/order_id"),
        response.error().details().stream().map(ParamsIssue::instanceLocation).toList());
  }

  @Test
  void aClassThatCannotBeBoundOrValidatedIsRefusedAtOnce() {
    assertThrows(
        EnricherRegistrationException.class,
        () ->
            calls.client.enricher(
                "e", JakartaValidation.of(BindingTest.Drawing.class, VALIDATOR), (v, c) -> v));
    EnricherRegistrationException error =
        assertThrows(
            EnricherRegistrationException.class, () -> JakartaValidation.of(Child.class, VALIDATOR));
    assertTrue(error.getMessage().contains(Child.class.getName()), error.getMessage());
    assertThrows(NullPointerException.class, () -> JakartaValidation.of(Order.class, null));
    assertFalse(calls.dispatch("e", Map.of()).ok());
  }
}
