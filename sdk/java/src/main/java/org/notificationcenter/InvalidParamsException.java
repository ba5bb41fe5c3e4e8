package org.notificationcenter;

import java.util.ArrayList;
import java.util.List;

/** Thrown by a {@link ParamsSchema} for params that do not fit it. */
public final class InvalidParamsException extends Exception {
  private static final long serialVersionUID = 1L;

  private final ArrayList<ParamsIssue> issues;

  /**
   * Creates the exception.
   *
   * @param issues at least one issue
   */
  public InvalidParamsException(List<ParamsIssue> issues) {
    super("The params do not fit the schema.");
    this.issues = new ArrayList<>(issues);
  }

  /**
   * Returns the issues.
   *
   * @return the issues; unmodifiable
   */
  public List<ParamsIssue> issues() {
    return List.copyOf(issues);
  }
}
