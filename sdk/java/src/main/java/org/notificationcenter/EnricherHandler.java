package org.notificationcenter;

/**
 * Returns the data of an enricher for a campaign.
 *
 * @param <P> the type of the params
 */
@FunctionalInterface
public interface EnricherHandler<P> {
  /**
   * Handles one call. Calls may run at the same time on several threads.
   *
   * @param params the checked params
   * @param context who asks, and for what
   * @return anything that Jackson writes as JSON, at most 1 MiB; null is JSON null, and a {@code
   *     Future} is waited for
   * @throws Exception any failure; the service learns {@code handler-error} and not the exception
   */
  Object handle(P params, EnricherContext context) throws Exception;
}
