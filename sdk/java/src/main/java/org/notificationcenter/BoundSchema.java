package org.notificationcenter;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Objects;

/** Binds params to a class, between a check of the params and a check of the bound value. */
final class BoundSchema<P> implements ParamsSchema<P> {
  /** Checks a bound value. */
  @FunctionalInterface
  interface BoundCheck<P> {
    /** Returns the issues of the value; none when it fits. */
    List<ParamsIssue> check(P value, Binder binder);
  }

  /** Every value fits. */
  static final BoundCheck<Object> ANY = (value, binder) -> List.of();

  private final Class<P> type;

  /** Null for no check of the params. */
  private final ParamsSchema<?> first;

  private final BoundCheck<? super P> last;

  BoundSchema(Class<P> type, ParamsSchema<?> first, BoundCheck<? super P> last) {
    this.type = Objects.requireNonNull(type, "type");
    this.first = first;
    this.last = last;
  }

  @Override
  public P parse(JsonNode params, ObjectMapper mapper) throws InvalidParamsException {
    return parse(params, new Jackson2Binder(mapper));
  }

  P parse(JsonNode params, Binder binder) throws InvalidParamsException {
    if (first instanceof BoundSchema<?> bound) bound.parse(params, binder);
    else if (first != null) first.parse(params, binder.mapper());
    P value = binder.bind(params, type);
    List<ParamsIssue> issues = last.check(value, binder);
    if (!issues.isEmpty()) throw new InvalidParamsException(issues);
    return value;
  }

  /** Throws an {@link EnricherRegistrationException} for a class that cannot be bound. */
  void check(Binder binder) {
    if (first instanceof BoundSchema<?> bound) bound.check(binder);
    binder.check(type);
  }
}
