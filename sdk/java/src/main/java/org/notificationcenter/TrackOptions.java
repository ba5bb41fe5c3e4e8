package org.notificationcenter;

import java.util.regex.Pattern;

/** Holds options of one tracking call. Immutable: each method returns new options. */
public final class TrackOptions {
  private static final Pattern CORRELATION_ID = Pattern.compile("[A-Za-z0-9._-]{1,128}");
  private static final TrackOptions NONE = new TrackOptions(null, null);

  private final Long timeoutMs;
  private final String correlationId;

  private TrackOptions(Long timeoutMs, String correlationId) {
    this.timeoutMs = timeoutMs;
    this.correlationId = correlationId;
  }

  /**
   * Returns options that change nothing.
   *
   * @return the options
   */
  public static TrackOptions none() {
    return NONE;
  }

  /**
   * Replaces the client's time limit for each attempt.
   *
   * @param timeoutMs milliseconds, 0 to 2,147,483,647
   * @return new options
   * @throws IllegalArgumentException for another number
   */
  public TrackOptions timeoutMs(long timeoutMs) {
    return new TrackOptions(Settings.parseTimer(timeoutMs, "timeoutMs"), correlationId);
  }

  /**
   * Connects the call with your own logs: the service keeps the id on the event and all that
   * follows from it.
   *
   * @param correlationId 1 to 128 of {@code A-Z a-z 0-9 . _ -}
   * @return new options
   * @throws IllegalArgumentException for another text
   */
  public TrackOptions correlationId(String correlationId) {
    if (correlationId == null || !CORRELATION_ID.matcher(correlationId).matches()) {
      throw new IllegalArgumentException(
          "correlationId must be 1 to 128 of A-Z, a-z, 0-9, \".\", \"_\" and \"-\".");
    }
    return new TrackOptions(timeoutMs, correlationId);
  }

  /** Returns the limit in milliseconds; null when the client's limit holds. */
  Long timeoutMs() {
    return timeoutMs;
  }

  /** Returns the id; null when there is none. */
  String correlationId() {
    return correlationId;
  }
}
