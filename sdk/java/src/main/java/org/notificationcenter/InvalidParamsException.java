package org.notificationcenter;

import java.util.List;

/** Thrown by a {@link ParamsSchema} for params that do not fit it. */
public final class InvalidParamsException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient List<ParamsIssue> issues;

  /**
   * Creates the exception.
   *
   * @param issues at least one issue
   */
  public InvalidParamsException(List<ParamsIssue> issues) {
    super("The params do not fit the schema.");
    this.issues = List.copyOf(issues);
  }

  /**
   * Returns the issues.
   *
   * @return the issues; unmodifiable; empty after a serialisation
   */
  public List<ParamsIssue> issues() {
    return issues == null ? List.of() : issues;
  }
}
