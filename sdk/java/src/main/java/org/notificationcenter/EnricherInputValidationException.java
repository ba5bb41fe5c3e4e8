package org.notificationcenter;

import java.util.List;

/** Reports params that do not fit the schema. */
public final class EnricherInputValidationException extends EnricherException {
  private static final long serialVersionUID = 1L;

  private final transient List<ParamsIssue> details;

  EnricherInputValidationException(String enricher, List<ParamsIssue> details) {
    super(
        EnricherErrorCode.INPUT_INVALID,
        "The params do not fit the schema of \"" + enricher + "\".",
        null);
    this.details = List.copyOf(details);
  }

  /**
   * Returns the issues of the schema.
   *
   * @return the issues; unmodifiable; empty after a serialisation
   */
  public List<ParamsIssue> details() {
    return details == null ? List.of() : details;
  }
}
