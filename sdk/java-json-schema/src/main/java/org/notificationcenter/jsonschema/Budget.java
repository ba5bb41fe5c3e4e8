package org.notificationcenter.jsonschema;

import com.networknt.schema.SchemaException;
import java.util.function.Supplier;

/**
 * Limits the work of one check of params. Only references and regular expressions can take much
 * more time than the params are long: those that branch or backtrack.
 */
final class Budget {
  /** Reports that nobody knows whether the params fit: within `not` a "no" would let them pass. */
  static final class Exceeded extends SchemaException {
    private static final long serialVersionUID = 1L;
    private final String keyword;

    Exceeded(String keyword) {
      super("The params take too long to check.");
      this.keyword = keyword;
    }

    String keyword() {
      return keyword;
    }
  }

  /** A reference costs about as much as this many characters of a text. */
  static final int REFERENCE = 50;

  /** Some tenths of a second; params of 4 MiB that are read ten times stay below. */
  private static final int STEPS = 50_000_000;

  private static final ThreadLocal<Budget> CURRENT = new ThreadLocal<>();

  private int left = STEPS;

  private Budget() {}

  static <T> T within(Supplier<T> work) {
    CURRENT.set(new Budget());
    try {
      return work.get();
    } finally {
      CURRENT.remove();
    }
  }

  /** Returns the budget of the check that this thread does; a full one outside of a check. */
  static Budget current() {
    Budget current = CURRENT.get();
    return current == null ? new Budget() : current;
  }

  void spend(int steps, String keyword) {
    left -= steps;
    if (left < 0) throw new Exceeded(keyword);
  }
}
