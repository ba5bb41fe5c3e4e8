package org.notificationcenter;

import java.util.List;

/**
 * Reports what became of a batch.
 *
 * @param results one result for each event, in their order; unmodifiable
 * @param correlationId finds the call in the service's log; null when the answer has none
 */
public record BatchAnswer(List<BatchResult> results, String correlationId) {
  /**
   * Copies the results.
   *
   * @param results one result for each event, in their order
   * @param correlationId finds the call in the service's log; null when the answer has none
   */
  public BatchAnswer {
    results = List.copyOf(results);
  }
}
